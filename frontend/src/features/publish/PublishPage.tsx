import { useEffect, useState } from 'react';

import { adminDocument, forgetAdminDocument, keepAdminDocument } from '@/shared/documents/adminDocument';
import { useCategories } from '@/shared/lookups';

import { TemplateForm } from './TemplateForm';

/** The page for publishing a template, or for editing the stored one (specification §2). */
export function PublishPage() {
  const [edited, setEdited] = useState(adminDocument);
  const { isPending } = useCategories();

  // Stored while the page is open: it survives a reload, and is cleared when the page is left.
  useEffect(() => {
    if (edited) keepAdminDocument(edited);
    return forgetAdminDocument;
  }, [edited]);

  // The form shows the categories by name, so they must be loaded first.
  if (edited && isPending) return null;
  return (
    <TemplateForm
      key={edited ? `${edited._id} ${edited.revision}` : 'new'}
      edited={edited}
      onTakeTheirs={setEdited}
    />
  );
}
