import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';

import { CataloguePage } from '@/features/catalogue/CataloguePage';

import { NotFound } from './NotFound';
import { RequireLogin } from './RequireLogin';
import { Shell } from './shell/Shell';

// The catalogue comes with the application; the other screens when they are opened.
const LoginPage = lazy(() =>
  import('@/features/session/LoginPage').then((page) => ({ default: page.LoginPage })),
);
const RegisterPage = lazy(() =>
  import('@/features/session/RegisterPage').then((page) => ({ default: page.RegisterPage })),
);
const OtpPage = lazy(() => import('@/features/session/OtpPage').then((page) => ({ default: page.OtpPage })));
const ForgotPage = lazy(() =>
  import('@/features/session/ForgotPage').then((page) => ({ default: page.ForgotPage })),
);
const ResetPage = lazy(() =>
  import('@/features/session/ResetPage').then((page) => ({ default: page.ResetPage })),
);
const RestorePage = lazy(() =>
  import('@/features/session/RestorePage').then((page) => ({ default: page.RestorePage })),
);
const LegalPage = lazy(() =>
  import('@/features/legal/LegalPage').then((page) => ({ default: page.LegalPage })),
);
const AccountPage = lazy(() =>
  import('@/features/account/AccountPage').then((page) => ({ default: page.AccountPage })),
);
const PreviewPage = lazy(() =>
  import('@/features/document/PreviewPage').then((page) => ({ default: page.PreviewPage })),
);
const FormPage = lazy(() =>
  import('@/features/document/FormPage').then((page) => ({ default: page.FormPage })),
);
const ResultPage = lazy(() =>
  import('@/features/document/ResultPage').then((page) => ({ default: page.ResultPage })),
);
const PublishPage = lazy(() =>
  import('@/features/publish/PublishPage').then((page) => ({ default: page.PublishPage })),
);

/** What links in mails lead to, and what must be readable anywhere; the rest is for desktops (specification §1). */
const ON_PHONES = [
  '/otp-verification',
  '/forgot-password',
  '/reset-password',
  '/restore-email',
  '/terms',
  '/privacy',
];

export function opensOnPhone(pathname: string): boolean {
  return ON_PHONES.includes(pathname.replace(/\/+$/, ''));
}

/** The screens there are (specification §2). Until the admin area has a start page, everybody starts in the catalogue. */
export function AppRoutes() {
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
          <Route index element={<Navigate to="/user-home" replace />} />
          <Route path="/user-home">
            <Route index element={<Navigate to="/user-home/user-all-documents" replace />} />
            <Route path="user-all-documents" element={<CataloguePage />} />
            <Route path="document/:id" element={<PreviewPage />} />
            <Route path="form-document" element={<FormPage />} />
            <Route path="document-result" element={<ResultPage />} />
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
            path="/documents/create"
            element={
              <RequireLogin admin>
                <PublishPage />
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
