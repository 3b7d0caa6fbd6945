import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Navigate, Outlet, Route, Routes, useSearchParams } from 'react-router';

import { CataloguePage } from '@/features/catalogue/CataloguePage';
import { loadTexts } from '@/shared/i18n/i18n';
import { isOwnTemplateId } from '@/shared/templates/ownTemplates';
import { currentSession, useSession } from '@/shared/session/session';

import { NotFound } from './NotFound';
import { RequireLogin } from './RequireLogin';
import { Shell } from './shell/Shell';

/** Loads a page together with the texts that only some pages need. */
const withTexts = <Page,>(page: Promise<Page>, ...names: Parameters<typeof loadTexts>): Promise<Page> =>
  Promise.all([page, loadTexts(...names)]).then(([loaded]) => loaded);

// The catalogue is part of the first bundle; other screens are loaded when they are opened.
const LoginPage = lazy(() =>
  import('@/features/session/LoginPage').then((page) => ({ default: page.LoginPage })),
);
const RegisterPage = lazy(() =>
  import('@/features/session/RegisterPage').then((page) => ({ default: page.RegisterPage })),
);
const OtpPage = lazy(() => import('@/features/session/OtpPage').then((page) => ({ default: page.OtpPage })));
const ForgotPage = lazy(() =>
  import('@/features/session/ForgotPasswordPage').then((page) => ({ default: page.ForgotPasswordPage })),
);
const ResetPage = lazy(() =>
  import('@/features/session/ResetPasswordPage').then((page) => ({ default: page.ResetPasswordPage })),
);
const RestorePage = lazy(() =>
  import('@/features/session/RevertEmailPage').then((page) => ({ default: page.RevertEmailPage })),
);
const LegalPage = lazy(() =>
  import('@/features/legal/LegalPage').then((page) => ({ default: page.LegalPage })),
);
const AccountPage = lazy(() =>
  withTexts(import('@/features/account/AccountPage'), 'fields').then((page) => ({
    default: page.AccountPage,
  })),
);
const AnswersPage = lazy(() =>
  withTexts(import('@/features/savedAnswers/SavedAnswersPage'), 'fields').then((page) => ({
    default: page.SavedAnswersPage,
  })),
);
const importPreviewPage = () => withTexts(import('@/features/filling/PreviewPage'), 'documents');
const PreviewPage = lazy(() => importPreviewPage().then((page) => ({ default: page.PreviewPage })));
const importFormPage = () => withTexts(import('@/features/filling/FormPage'), 'documents', 'fields');
const FormPage = lazy(() => importFormPage().then((page) => ({ default: page.FormPage })));
const importResultPage = () =>
  withTexts(import('@/features/filling/ResultPage'), 'documents', 'fields', 'findings');
const ResultPage = lazy(() => importResultPage().then((page) => ({ default: page.ResultPage })));
const importMyDocumentsPage = () =>
  withTexts(import('@/features/savedDocuments/MyDocumentsPage'), 'documents');
const MyDocumentsPage = lazy(() =>
  importMyDocumentsPage().then((page) => ({ default: page.MyDocumentsPage })),
);
const importSavedPage = () => withTexts(import('@/features/savedDocuments/SavedDocumentPage'), 'documents');
const SavedPage = lazy(() => importSavedPage().then((page) => ({ default: page.SavedDocumentPage })));
const HelpPage = lazy(() => import('@/features/help/HelpPage').then((page) => ({ default: page.HelpPage })));
const PublishPage = lazy(() =>
  withTexts(import('@/features/publish/PublishPage'), 'documents', 'fields', 'findings', 'templates').then(
    (page) => ({
      default: page.PublishPage,
    }),
  ),
);
const MyTemplatesPage = lazy(() =>
  withTexts(import('@/features/myTemplates/MyTemplatesPage'), 'templates').then((page) => ({
    default: page.MyTemplatesPage,
  })),
);
const MyTemplatePage = lazy(() =>
  withTexts(import('@/features/publish/MyTemplatePage'), 'documents', 'fields', 'findings', 'templates').then(
    (page) => ({
      default: page.MyTemplatePage,
    }),
  ),
);
const TemplatesPage = lazy(() =>
  withTexts(import('@/features/templates/TemplatesPage'), 'templates').then((page) => ({
    default: page.TemplatesPage,
  })),
);
const CategoriesPage = lazy(() =>
  withTexts(import('@/features/templates/CategoriesPage'), 'templates').then((page) => ({
    default: page.CategoriesPage,
  })),
);
const ViewPage = lazy(() =>
  withTexts(import('@/features/templates/AdminTemplatePage'), 'documents', 'templates').then((page) => ({
    default: page.AdminTemplatePage,
  })),
);
const TestFormPage = lazy(() =>
  withTexts(importFormPage(), 'templates').then((page) => ({ default: page.FormPage })),
);
const TestResultPage = lazy(() =>
  withTexts(importResultPage(), 'templates').then((page) => ({ default: page.ResultPage })),
);

const UsersPage = lazy(() =>
  withTexts(import('@/features/users/UsersPage'), 'people').then((page) => ({
    default: page.UsersPage,
  })),
);
const DashboardPage = lazy(() =>
  withTexts(import('@/features/dashboard/DashboardPage'), 'people').then((page) => ({
    default: page.DashboardPage,
  })),
);
const MessagesPage = lazy(() =>
  withTexts(import('@/features/messages/MessagesPage'), 'people').then((page) => ({
    default: page.MessagesPage,
  })),
);

/** Fetches the pages of a document when the user first moves or presses a key, so that opening one is immediate. */
function usePagePrefetch() {
  useEffect(() => {
    const fetchPages = () => {
      // A page that fails to load here is loaded when it is opened.
      for (const page of [importPreviewPage, importFormPage, importResultPage]) page().catch(() => undefined);
      if (currentSession())
        for (const page of [importMyDocumentsPage, importSavedPage]) page().catch(() => undefined);
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
  '/login',
  '/register',
  '/otp-verification',
  '/forgot-password',
  '/reset-password',
  '/restore-email',
  '/terms',
  '/privacy',
  '/user-home/user-documents',
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
  if (session?.user.role !== 'admin') return <Navigate to="/user-home" replace />;
  return (
    <RequireLogin admin>
      <DashboardPage />
    </RequireLogin>
  );
}

/** All screens (specification §2). */
export function AppRoutes() {
  usePagePrefetch();
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/register" element={<RegisterPage />} />
        <Route path="/otp-verification" element={<OtpPage />} />
        <Route path="/forgot-password" element={<ForgotPage />} />
        <Route path="/reset-password" element={<ResetPage />} />
        <Route path="/restore-email" element={<RestorePage />} />
        <Route path="/terms" element={<LegalPage text="terms" />} />
        <Route path="/privacy" element={<LegalPage text="privacy" />} />
        <Route element={<Shell />}>
          <Route index element={<StartPage />} />
          <Route path="/user-home">
            <Route index element={<Navigate to="/user-home/user-all-documents" replace />} />
            <Route path="user-all-documents" element={<CataloguePage />} />
            <Route path="document/:id" element={<PreviewPage />} />
            <Route path="help-center" element={<HelpPage />} />
            <Route path="user-answers" element={<AnswersPage />} />
            <Route
              path="form-document"
              element={
                <RequireLoginForOwn>
                  <FormPage />
                </RequireLoginForOwn>
              }
            />
            <Route
              path="document-result"
              element={
                <RequireLoginForOwn>
                  <ResultPage />
                </RequireLoginForOwn>
              }
            />
            <Route
              path="user-documents"
              element={
                <RequireLogin>
                  <MyDocumentsPage />
                </RequireLogin>
              }
            />
            <Route
              path="user-documents/:id"
              element={
                <RequireLogin>
                  <SavedPage />
                </RequireLogin>
              }
            />
            <Route
              path="user-account-setting"
              element={
                <RequireLogin>
                  <AccountPage />
                </RequireLogin>
              }
            />
          </Route>
          <Route
            path="/my-templates"
            element={
              <RequireLogin>
                <Outlet />
              </RequireLogin>
            }
          >
            <Route index element={<MyTemplatesPage />} />
            <Route path="create" element={<MyTemplatePage />} />
            <Route path="*" element={<NotFound />} />
          </Route>
          <Route
            path="/documents"
            element={
              <RequireLogin admin>
                <Outlet />
              </RequireLogin>
            }
          >
            <Route index element={<TemplatesPage />} />
            <Route path="create" element={<PublishPage />} />
            <Route path="categories" element={<CategoriesPage />} />
            <Route path=":id/view" element={<ViewPage />} />
            <Route path="form-document" element={<TestFormPage />} />
            <Route path="document-result" element={<TestResultPage />} />
            <Route path="*" element={<NotFound />} />
          </Route>
          <Route
            path="/messages"
            element={
              <RequireLogin admin>
                <MessagesPage />
              </RequireLogin>
            }
          />
          <Route
            path="/users"
            element={
              <RequireLogin admin>
                <UsersPage />
              </RequireLogin>
            }
          />
          <Route
            path="/account-setting"
            element={
              <RequireLogin admin>
                <AccountPage />
              </RequireLogin>
            }
          />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}
