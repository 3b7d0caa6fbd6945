import { lazy, Suspense, useEffect, type ReactElement, type ReactNode } from 'react';
import { Navigate, Outlet, useSearchParams, type LoaderFunction, type RouteObject } from 'react-router';

import { CataloguePage } from '@/features/catalogue/CataloguePage';
import { loadTexts } from '@/shared/i18n/i18n';
import type { TextPart } from '@/shared/i18n/texts';
import * as paths from '@/shared/paths';
import { currentSession, useSession } from '@/shared/session/session';
import { isOwnTemplateId } from '@/shared/templates/ownTemplates';

import { NotFound } from './NotFound';
import { PageCrash } from './PageCrash';
import { PendingBar } from './PendingBar';
import { RequireLogin } from './RequireLogin';
import { Shell } from './shell/Shell';

/**
 * Returns the parts of a route whose page is loaded when it is opened, together with the texts that only some pages
 * need. Until then the previous page stays.
 */
function page<Module>(
  load: () => Promise<Module>,
  render: (module: Module) => ReactElement,
  ...texts: TextPart[]
): Pick<RouteObject, 'lazy' | 'hydrateFallbackElement'> {
  return {
    lazy: async () => {
      const [module] = await Promise.all([load(), loadTexts(...texts)]);
      return { element: render(module) };
    },
    hydrateFallbackElement: <PendingBar />,
  };
}

const importPreviewPage = () => import('@/features/filling/PreviewPage');
const importFormPage = () => import('@/features/filling/FormPage');
const importResultPage = () => import('@/features/filling/ResultPage');
const importMyDocumentsPage = () => import('@/features/savedDocuments/MyDocumentsPage');
const importSavedPage = () => import('@/features/savedDocuments/SavedDocumentPage');
const importAccountPage = () => import('@/features/account/AccountPage');
const importLegalPage = () => import('@/features/legal/LegalPage');

const StorageNotice = lazy(() =>
  import('./shell/StorageNotice').then((notice) => ({ default: notice.StorageNotice })),
);

// Only admins see it at the path of the start page, so it is not loaded with the route.
const DashboardPage = lazy(() =>
  Promise.all([import('@/features/dashboard/DashboardPage'), loadTexts('people')]).then(([module]) => ({
    default: module.DashboardPage,
  })),
);

/** Requests the data of a page together with its code. A page whose data fail to load here requests them again. */
const requestData =
  (name: 'prefetchDocument' | 'prefetchSavedDocument'): LoaderFunction =>
  (address) => {
    void import('./pageData').then((pageData) => pageData[name](address)).catch(() => undefined);
    return null;
  };
const loadTemplate = requestData('prefetchDocument');
const loadSavedDocument = requestData('prefetchSavedDocument');

/** Fetches the pages of a document when the user first moves or presses a key, so that opening one is immediate. */
export function usePagePrefetch() {
  useEffect(() => {
    const fetchPages = () => {
      // A page that fails to load here is loaded when it is opened.
      for (const load of [importPreviewPage, importFormPage, importResultPage]) load().catch(() => undefined);
      loadTexts('fields', 'findings').catch(() => undefined);
      if (currentSession())
        for (const load of [importMyDocumentsPage, importSavedPage]) load().catch(() => undefined);
    };
    const stop = new AbortController();
    for (const event of ['pointermove', 'pointerdown', 'keydown'])
      window.addEventListener(event, fetchPages, { once: true, passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
}

/**
 * The targets of mail links, pages that must be readable anywhere, and My documents with the login that it needs.
 * Everything else is for desktops (specification §1).
 */
const ON_PHONES = [
  paths.LOGIN_PATH,
  paths.REGISTER_PATH,
  paths.OTP_PATH,
  paths.FORGOT_PASSWORD_PATH,
  paths.RESET_PASSWORD_PATH,
  paths.REVERT_EMAIL_PATH,
  paths.TERMS_PATH,
  paths.PRIVACY_PATH,
  paths.SAVED_DOCUMENTS_PATH,
];

export function opensOnPhone(pathname: string): boolean {
  return ON_PHONES.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Requires a login for saved documents and private templates. Everyone may fill in a template of the catalogue. */
function RequireLoginForOwn({ children }: { children: ReactNode }) {
  const [search] = useSearchParams();
  const isOwn = search.has('saved') || isOwnTemplateId(search.get('document'));
  return isOwn ? <RequireLogin>{children}</RequireLogin> : children;
}

/** The start page: the dashboard for admins, the catalogue for everyone else. */
function StartPage() {
  const session = useSession();
  if (session?.user.role !== 'admin') return <Navigate to={paths.HOME_PATH} replace />;
  return (
    <RequireLogin admin>
      <Suspense fallback={<PendingBar />}>
        <DashboardPage />
      </Suspense>
    </RequireLogin>
  );
}

/** The pages without the shell: login, registration, mail links and legal texts. */
const STANDALONE_PAGES: RouteObject[] = [
  {
    path: paths.LOGIN_PATH,
    ...page(
      () => import('@/features/session/LoginPage'),
      ({ LoginPage }) => <LoginPage />,
    ),
  },
  {
    path: paths.REGISTER_PATH,
    ...page(
      () => import('@/features/session/RegisterPage'),
      ({ RegisterPage }) => <RegisterPage />,
    ),
  },
  {
    path: paths.OTP_PATH,
    ...page(
      () => import('@/features/session/OtpPage'),
      ({ OtpPage }) => <OtpPage />,
    ),
  },
  {
    path: paths.FORGOT_PASSWORD_PATH,
    ...page(
      () => import('@/features/session/ForgotPasswordPage'),
      ({ ForgotPasswordPage }) => <ForgotPasswordPage />,
    ),
  },
  {
    path: paths.RESET_PASSWORD_PATH,
    ...page(
      () => import('@/features/session/ResetPasswordPage'),
      ({ ResetPasswordPage }) => <ResetPasswordPage />,
    ),
  },
  {
    path: paths.REVERT_EMAIL_PATH,
    ...page(
      () => import('@/features/session/RevertEmailPage'),
      ({ RevertEmailPage }) => <RevertEmailPage />,
    ),
  },
  { path: paths.TERMS_PATH, ...page(importLegalPage, ({ LegalPage }) => <LegalPage text="terms" />) },
  { path: paths.PRIVACY_PATH, ...page(importLegalPage, ({ LegalPage }) => <LegalPage text="privacy" />) },
];

/** The pages that guests can open too. */
const PUBLIC_PAGES: RouteObject[] = [
  { path: paths.DASHBOARD_PATH, element: <StartPage /> },
  { path: paths.HOME_PATH, element: <Navigate to={paths.CATALOGUE_PATH} replace /> },
  { path: paths.CATALOGUE_PATH, element: <CataloguePage /> },
  {
    path: `${paths.HOME_PATH}/document/:id`,
    loader: loadTemplate,
    ...page(importPreviewPage, ({ PreviewPage }) => <PreviewPage />, 'documents'),
  },
  {
    path: paths.HELP_PATH,
    ...page(
      () => import('@/features/help/HelpPage'),
      ({ HelpPage }) => <HelpPage />,
    ),
  },
  {
    path: paths.SAVED_ANSWERS_PATH,
    ...page(
      () => import('@/features/savedAnswers/SavedAnswersPage'),
      ({ SavedAnswersPage }) => <SavedAnswersPage />,
      'fields',
    ),
  },
  {
    path: paths.FORM_PATH,
    loader: loadTemplate,
    ...page(
      importFormPage,
      ({ FormPage }) => (
        <RequireLoginForOwn>
          <FormPage />
        </RequireLoginForOwn>
      ),
      'documents',
      'fields',
    ),
  },
  {
    path: paths.RESULT_PATH,
    loader: loadTemplate,
    ...page(
      importResultPage,
      ({ ResultPage }) => (
        <RequireLoginForOwn>
          <ResultPage />
        </RequireLoginForOwn>
      ),
      'documents',
      'fields',
      'findings',
    ),
  },
];

/** The pages of users. */
const USER_PAGES: RouteObject[] = [
  {
    path: paths.SAVED_DOCUMENTS_PATH,
    ...page(importMyDocumentsPage, ({ MyDocumentsPage }) => <MyDocumentsPage />, 'documents'),
  },
  {
    path: `${paths.SAVED_DOCUMENTS_PATH}/:id`,
    loader: loadSavedDocument,
    ...page(importSavedPage, ({ SavedDocumentPage }) => <SavedDocumentPage />, 'documents'),
  },
  {
    path: paths.USER_ACCOUNT_PATH,
    ...page(importAccountPage, ({ AccountPage }) => <AccountPage />, 'fields'),
  },
  {
    path: paths.MY_TEMPLATES_PATH,
    ...page(
      () => import('@/features/myTemplates/MyTemplatesPage'),
      ({ MyTemplatesPage }) => <MyTemplatesPage />,
      'templates',
    ),
  },
  {
    path: paths.CREATE_MY_TEMPLATE_PATH,
    ...page(
      () => import('@/features/publish/MyTemplatePage'),
      ({ MyTemplatePage }) => <MyTemplatePage />,
      'documents',
      'fields',
      'findings',
      'templates',
    ),
  },
  { path: `${paths.MY_TEMPLATES_PATH}/*`, element: <NotFound /> },
];

/** The pages of admins. */
const ADMIN_PAGES: RouteObject[] = [
  {
    path: paths.TEMPLATES_PATH,
    ...page(
      () => import('@/features/templates/TemplatesPage'),
      ({ TemplatesPage }) => <TemplatesPage />,
      'templates',
    ),
  },
  {
    path: paths.CREATE_TEMPLATE_PATH,
    ...page(
      () => import('@/features/publish/PublishPage'),
      ({ PublishPage }) => <PublishPage />,
      'documents',
      'fields',
      'findings',
      'templates',
    ),
  },
  {
    path: paths.CATEGORIES_PATH,
    ...page(
      () => import('@/features/templates/categories/CategoriesPage'),
      ({ CategoriesPage }) => <CategoriesPage />,
      'templates',
    ),
  },
  {
    path: `${paths.TEMPLATES_PATH}/:id/view`,
    loader: loadTemplate,
    ...page(
      () => import('@/features/templates/AdminTemplatePage'),
      ({ AdminTemplatePage }) => <AdminTemplatePage />,
      'documents',
      'templates',
    ),
  },
  {
    path: paths.TEST_FORM_PATH,
    loader: loadTemplate,
    ...page(importFormPage, ({ FormPage }) => <FormPage />, 'documents', 'fields', 'templates'),
  },
  {
    path: paths.TEST_RESULT_PATH,
    loader: loadTemplate,
    ...page(
      importResultPage,
      ({ ResultPage }) => <ResultPage />,
      'documents',
      'fields',
      'findings',
      'templates',
    ),
  },
  { path: `${paths.TEMPLATES_PATH}/*`, element: <NotFound /> },
  {
    path: paths.MESSAGES_PATH,
    ...page(
      () => import('@/features/messages/MessagesPage'),
      ({ MessagesPage }) => <MessagesPage />,
      'people',
    ),
  },
  {
    path: paths.USERS_PATH,
    ...page(
      () => import('@/features/users/UsersPage'),
      ({ UsersPage }) => <UsersPage />,
      'people',
    ),
  },
  {
    path: paths.ADMIN_ACCOUNT_PATH,
    ...page(importAccountPage, ({ AccountPage }) => <AccountPage />, 'fields'),
  },
];

/**
 * All screens (specification §2). A failure of a page is shown in its place, and the shell stays. It is cleared by
 * the next navigation.
 */
export const SCREENS: RouteObject[] = [
  {
    errorElement: <PageCrash />,
    element: (
      <>
        <Suspense fallback={null}>
          <StorageNotice />
        </Suspense>
        <Outlet />
      </>
    ),
    children: STANDALONE_PAGES,
  },
  {
    element: <Shell />,
    children: [
      { errorElement: <PageCrash />, children: PUBLIC_PAGES },
      {
        errorElement: <PageCrash />,
        element: (
          <RequireLogin>
            <Outlet />
          </RequireLogin>
        ),
        children: USER_PAGES,
      },
      {
        errorElement: <PageCrash />,
        element: (
          <RequireLogin admin>
            <Outlet />
          </RequireLogin>
        ),
        children: ADMIN_PAGES,
      },
      { path: '*', element: <NotFound /> },
    ],
  },
];
