// Signing in with Google through Cognito's hosted pages. This module and Amplify with it are loaded only once the button is
// pressed, or once Google has sent somebody back.
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, signInWithRedirect } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { Hub } from 'aws-amplify/utils';

import type { GoogleSettings } from '@/api/types';

/** What Amplify writes into storage for itself begins with one of these. */
const AMPLIFY_KEYS = ['CognitoIdentityServiceProvider.', 'com.amplify.', 'amplify-'];
/** Goes to Google and back with the person. */
const REMEMBER = 'remember';

/** Cognito's tokens live in memory alone: ours is the session (design §2). */
function inMemory() {
  const kept = new Map<string, string>();
  return {
    setItem: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
    getItem: (key: string) => Promise.resolve(kept.get(key) ?? null),
    removeItem: (key: string) => Promise.resolve(void kept.delete(key)),
    clear: () => Promise.resolve(kept.clear()),
  };
}

function configure({ userPoolId, clientId, domain, scopes }: GoogleSettings): void {
  cognitoUserPoolsTokenProvider.setKeyValueStorage(inMemory());
  const back = [`${window.location.origin}/login`];
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId,
        userPoolClientId: clientId,
        loginWith: {
          oauth: {
            domain,
            scopes,
            redirectSignIn: back,
            redirectSignOut: back,
            responseType: 'code',
            providers: ['Google'],
          },
        },
      },
    },
  });
}

function forgetAmplify(): void {
  for (const key of Object.keys(window.localStorage)) {
    if (AMPLIFY_KEYS.some((start) => key.startsWith(start))) window.localStorage.removeItem(key);
  }
}

/** Leaves for Google. Whoever presses the button chooses the account anew: the last one's may be somebody else's. */
export async function leaveForGoogle(settings: GoogleSettings, remember: boolean, lang: string) {
  forgetAmplify();
  configure(settings);
  await signInWithRedirect({
    provider: 'Google',
    ...(remember ? { customState: REMEMBER } : {}),
    options: { prompt: 'SELECT_ACCOUNT', lang },
  });
}

async function accessToken(): Promise<string> {
  const { tokens } = await fetchAuthSession();
  if (!tokens) throw new Error('no sign-in was under way');
  return tokens.accessToken.toString();
}

/** Back from Google: Cognito's access token. Throws if the sign-in was cancelled, or was not begun in this browser. */
export async function returnFromGoogle(settings: GoogleSettings) {
  let remember = false;
  let stop = () => {};
  try {
    const token = await new Promise<string>((resolve, reject) => {
      stop = Hub.listen('auth', ({ payload }) => {
        if (payload.event === 'customOAuthState') remember = payload.data === REMEMBER;
        if (payload.event === 'signInWithRedirect') accessToken().then(resolve, reject);
        if (payload.event === 'signInWithRedirect_failure') reject(new Error('cancelled'));
      });
      // Configuring completes the sign-in that the address tells of, and says so above; asking for the session tells where
      // there was none.
      configure(settings);
      accessToken().then(resolve, reject);
    });
    return { accessToken: token, remember };
  } finally {
    stop();
    forgetAmplify();
  }
}
