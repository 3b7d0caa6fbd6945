// What the server under test may not log: passwords, codes, tokens and addresses, of whomever they are.

const secrets = new Set<string>();
const TELLING = /password|otp|token|email/i;

/** From now on no line may hold this. */
export function keepSecret(text: string | undefined): void {
  // Shorter ones stand in every line.
  if (text && text.length >= 6) secrets.add(text);
}

/** Keeps what a request sends in the fields that hold something secret. */
export function keepSecretsOf(body: string | null): void {
  let sent: unknown;
  try {
    sent = JSON.parse(body ?? "null");
  } catch {
    return;
  }
  if (typeof sent !== "object" || sent === null) return;
  for (const [name, value] of Object.entries(sent))
    if (TELLING.test(name) && typeof value === "string") keepSecret(value);
}

/** Keeps the codes and links the server's mails hold. */
export function keepSecretsOfMails(mails: { text: string }[]): void {
  for (const { text } of mails) {
    keepSecret(/^\d{6}$/m.exec(text)?.[0]);
    keepSecret(/#token=(\S+)/.exec(text)?.[1]);
  }
}

/** The lines of a log that tell a secret, an address (anything with an @) or a token (as their JSON begins in base64). */
export function telling(log: string): string[] {
  return log.split("\n").filter((line) => {
    // Not the time, whose digits could be taken for a code.
    const text = line.replace(/"timestamp":"[^"]*"/, "");
    const held = [...secrets].some((secret) => holds(text, secret));
    return held || text.includes("@") || text.includes("eyJ");
  });
}

/** Whether a line holds the secret. A code of digits must stand by itself: a request's random name holds digits too. */
function holds(line: string, secret: string): boolean {
  if (!/^\d+$/.test(secret)) return line.includes(secret);
  return new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`).test(line);
}
