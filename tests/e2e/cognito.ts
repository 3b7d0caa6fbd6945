// A Cognito user pool in an emulator for the browser tests, with users who signed in with Google, and their
// tokens.
const REGION = "eu-west-1";
/** A domain that does not exist: the test answers the browser's requests to it. */
export const DOMAIN = `waraq-test.auth.${REGION}.amazoncognito.com`;

export interface Cognito {
  endpoint: string;
  pool: string;
  client: string;
  /** The value for the `--google` option of the local server. */
  option: string;
  /** Returns the tokens that the pool's token endpoint issues for this Google user. */
  tokensOf: (person: GoogleUser) => Promise<Tokens>;
}

export interface GoogleUser {
  subject: string;
  email: string;
  name: string;
}

interface Tokens {
  access_token: string;
  id_token: string;
  refresh_token: string;
  token_type: "Bearer";
  expires_in: number;
}

const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/cognito-idp/aws4_request, SignedHeaders=host, Signature=0`;

/**
 * Creates a pool with a public client in the emulator that the test command has started at `WARAQ_MINISTACK`.
 */
export async function createUserPool(): Promise<Cognito> {
  const endpoint = process.env["WARAQ_MINISTACK"];
  if (!endpoint)
    throw new Error(
      "WARAQ_MINISTACK: the address of a running ministack; `cargo xtask test browser` starts one",
    );

  const ask = async <T>(operation: string, body: unknown): Promise<T> => {
    const answer = await fetch(`${endpoint}/`, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
        authorization: AUTHORIZATION,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${operation}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { UserPool } = await ask<{ UserPool: { Id: string } }>(
    "CreateUserPool",
    { PoolName: "waraq" },
  );
  const { UserPoolClient } = await ask<{
    UserPoolClient: { ClientId: string };
  }>("CreateUserPoolClient", {
    UserPoolId: UserPool.Id,
    ClientName: "site",
    // The emulator has no hosted sign-in, so the test gets its tokens by password.
    ExplicitAuthFlows: ["ALLOW_ADMIN_USER_PASSWORD_AUTH"],
  });
  const pool = UserPool.Id;
  const client = UserPoolClient.ClientId;
  return {
    endpoint,
    pool,
    client,
    option: [REGION, pool, client, DOMAIN].join(","),
    tokensOf: (person) => tokensOf(ask, pool, client, person),
  };
}

/**
 * Creates the user as Cognito stores Google users: with a linked Google identity and a verified address.
 * Returns their tokens.
 */
async function tokensOf(
  ask: <T>(operation: string, body: unknown) => Promise<T>,
  pool: string,
  client: string,
  { subject, email, name }: GoogleUser,
): Promise<Tokens> {
  const user = { UserPoolId: pool, Username: `Google_${subject}` };
  const identities = JSON.stringify([
    { userId: subject, providerName: "Google", providerType: "Google" },
  ]);
  const attributes = {
    email,
    name,
    identities,
    email_verified: "true",
  };
  await ask("AdminCreateUser", {
    ...user,
    MessageAction: "SUPPRESS",
    UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({
      Name,
      Value,
    })),
  });
  const password = `Emulated-${subject}-1`;
  await ask("AdminSetUserPassword", {
    ...user,
    Password: password,
    Permanent: true,
  });
  const { AuthenticationResult: result } = await ask<{
    AuthenticationResult: {
      AccessToken: string;
      IdToken: string;
      RefreshToken: string;
    };
  }>("AdminInitiateAuth", {
    UserPoolId: pool,
    ClientId: client,
    AuthFlow: "ADMIN_USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: user.Username, PASSWORD: password },
  });
  return {
    access_token: result.AccessToken,
    id_token: result.IdToken,
    refresh_token: result.RefreshToken,
    token_type: "Bearer",
    expires_in: 3600,
  };
}
