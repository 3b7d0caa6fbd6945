// Signing in with Google through Cognito's hosted pages. This module, and Amplify with it, is loaded only when the
// button is pressed or when Google has redirected back.
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, signInWithRedirect } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { Hub } from 'aws-amplify/utils';

import type { GoogleSettings } from '@/api/types';
import { LOGIN_PATH } from '@/shared/paths';

/** The prefixes of the keys that Amplify writes into storage. */
const AMPLIFY_KEYS = ['CognitoIdentityServiceProvider.', 'com.amplify.', 'amplify-'];
/** A custom state that Google passes back with the user. */
const REMEMBER_STATE = 'remember';

/** A store that keeps Cognito's tokens in memory only, because the API's own session is used (design §2). */
function createMemoryStorage() {
  const values = new Map<string, string>();
  return {
    setItem: (key: string, value: string) => Promise.resolve(void values.set(key, value)),
    getItem: (key: string) => Promise.resolve(values.get(key) ?? null),
    removeItem: (key: string) => Promise.resolve(void values.delete(key)),
    clear: () => Promise.resolve(values.clear()),
  };
}

function configure({ userPoolId, clientId, domain, scopes }: GoogleSettings): void {
  cognitoUserPoolsTokenProvider.setKeyValueStorage(createMemoryStorage());
  const redirectUrls = [window.location.origin + LOGIN_PATH];
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId,
        userPoolClientId: clientId,
        loginWith: {
          oauth: {
            domain,
            scopes,
            redirectSignIn: redirectUrls,
            redirectSignOut: redirectUrls,
            responseType: 'code',
            providers: ['Google'],
          },
        },
      },
    },
  });
}

function removeAmplifyKeys(): void {
  for (const key of Object.keys(window.localStorage)) {
    if (AMPLIFY_KEYS.some((start) => key.startsWith(start))) window.localStorage.removeItem(key);
  }
}

/** Redirects to Google. The user always chooses an account, because the last one may belong to another person. */
export async function redirectToGoogle(settings: GoogleSettings, remember: boolean, lang: string) {
  removeAmplifyKeys();
  configure(settings);
  await signInWithRedirect({
    provider: 'Google',
    ...(remember ? { customState: REMEMBER_STATE } : {}),
    options: { prompt: 'SELECT_ACCOUNT', lang },
  });
}

async function accessToken(): Promise<string> {
  const { tokens } = await fetchAuthSession();
  if (!tokens) throw new Error('no sign-in was under way');
  return tokens.accessToken.toString();
}

/**
 * Returns Cognito's access token after the redirect back. Throws if the sign-in was cancelled or not started in
 * this browser.
 */
export async function completeGoogleSignIn(settings: GoogleSettings) {
  let remember = false;
  let stop = () => {};
  try {
    const token = await new Promise<string>((resolve, reject) => {
      stop = Hub.listen('auth', ({ payload }) => {
        if (payload.event === 'customOAuthState') remember = payload.data === REMEMBER_STATE;
        if (payload.event === 'signInWithRedirect') accessToken().then(resolve, reject);
        if (payload.event === 'signInWithRedirect_failure') reject(new Error('cancelled'));
      });
      // Configuring completes the sign-in in the URL and emits the event above. Asking for the session detects that
      // there was no sign-in.
      configure(settings);
      accessToken().then(resolve, reject);
    });
    return { accessToken: token, remember };
  } finally {
    stop();
    removeAmplifyKeys();
  }
}
