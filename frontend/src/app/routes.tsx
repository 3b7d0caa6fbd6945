import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';

import { CataloguePage } from '@/features/catalogue/CataloguePage';

import { RequireAdmin } from './RequireAdmin';
import { NotFound } from './NotFound';
import { Shell } from './shell/Shell';

// The catalogue comes with the application; the other screens when they are opened.
const LoginPage = lazy(() =>
  import('@/features/session/LoginPage').then((page) => ({ default: page.LoginPage })),
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

/** The screens there are (specification §2). Until the admin area has a start page, everybody starts in the catalogue. */
export function AppRoutes() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route element={<Shell />}>
          <Route index element={<Navigate to="/user-home" replace />} />
          <Route path="/user-home">
            <Route index element={<Navigate to="/user-home/user-all-documents" replace />} />
            <Route path="user-all-documents" element={<CataloguePage />} />
            <Route path="document/:id" element={<PreviewPage />} />
            <Route path="form-document" element={<FormPage />} />
            <Route path="document-result" element={<ResultPage />} />
          </Route>
          <Route
            path="/documents/create"
            element={
              <RequireAdmin>
                <PublishPage />
              </RequireAdmin>
            }
          />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}
