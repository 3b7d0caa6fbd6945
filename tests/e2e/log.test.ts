// Tests of the log check: it finds every kind of secret, and it receives the server's log.
import { expect, it } from "vitest";

import {
  registerSecretsOfBody,
  registerSecretsOfMails,
  linesWithSecrets,
} from "./log.ts";
import { createAccount } from "./people.ts";
import { startProduct } from "./product.ts";

it("finds passwords, codes, tokens and addresses", () => {
  registerSecretsOfBody('{"oldPassword":"a most secret one","remember":true}');
  registerSecretsOfMails([
    { text: "Your code:\n\n480213\n" },
    { text: "http://x/reset-password#token=q1w2e3r4t5y6u7i8o9p0aa" },
  ]);
  const harmless = [
    '{"timestamp":"2026-11-21T10:00:00.480213Z","level":"INFO","status":200}',
    '{"level":"INFO","request":"01m84802134ezfdwx59ntartaj"}',
  ];
  const lines = [
    '{"cause":"not a most secret one"}',
    '{"code":"480213"}',
    '{"link":"q1w2e3r4t5y6u7i8o9p0aa"}',
    '{"to":"amina@example.org"}',
    '{"authorization":"Bearer eyJhbGciOiJFZERTQSJ9"}',
  ];
  expect(linesWithSecrets([...harmless, ...lines, ""].join("\n"))).toEqual(
    lines,
  );
});

it("hears the server", async () => {
  const product = await startProduct();
  await createAccount(product);
  expect(product.log()).toContain('"function":"auth-verify-otp"');
  await product.stop();
});
