// Checks that the server under test logs no passwords, codes, tokens or addresses.

const secrets = new Set<string>();
const SECRET_FIELDS = /password|otp|token|email/i;

/** Registers a secret that no log line may contain from now on. */
export function registerSecret(text: string | undefined): void {
  // Shorter texts would occur in many lines.
  if (text && text.length >= 6) secrets.add(text);
}

/** Registers the values of the secret fields in a request body. */
export function registerSecretsOfBody(body: string | null): void {
  let sent: unknown;
  try {
    sent = JSON.parse(body ?? "null");
  } catch {
    return;
  }
  if (typeof sent !== "object" || sent === null) return;
  for (const [name, value] of Object.entries(sent))
    if (SECRET_FIELDS.test(name) && typeof value === "string")
      registerSecret(value);
}

/** Registers the codes and link tokens in the server's mails. */
export function registerSecretsOfMails(mails: { text: string }[]): void {
  for (const { text } of mails) {
    registerSecret(/^\d{6}$/m.exec(text)?.[0]);
    registerSecret(/#token=(\S+)/.exec(text)?.[1]);
  }
}

/**
 * Returns the log lines that contain a secret, an address (anything with @) or a token. A token begins with `eyJ`,
 * which is the beginning of a JSON object in base64.
 */
export function linesWithSecrets(log: string): string[] {
  return log.split("\n").filter((line) => {
    // The time is removed, because its digits could be taken for a code.
    const text = line.replace(/"timestamp":"[^"]*"/, "");
    const held = [...secrets].some((secret) => containsSecret(text, secret));
    return held || text.includes("@") || text.includes("eyJ");
  });
}

/**
 * Returns true if a line contains the secret. A code of digits counts only if no letter or digit is next to
 * it, because the random id of a request contains digits too.
 */
function containsSecret(line: string, secret: string): boolean {
  if (!/^\d+$/.test(secret)) return line.includes(secret);
  return new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`).test(line);
}
