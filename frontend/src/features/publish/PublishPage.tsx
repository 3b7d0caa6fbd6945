import { useEffect, useState } from 'react';

import { adminDocument, forgetAdminDocument, keepAdminDocument } from '@/shared/documents/adminDocument';
import { useCategories } from '@/shared/lookups';

import { TemplateForm } from './TemplateForm';

/** An admin publishes a template, or edits the one that is stored for it (specification §2). */
export function PublishPage() {
  const [edited, setEdited] = useState(adminDocument);
  const { isPending } = useCategories();

  // Kept as long as the page is: it outlives a reload, and leaving clears it.
  useEffect(() => {
    if (edited) keepAdminDocument(edited);
    return forgetAdminDocument;
  }, [edited]);

  // Its categories stand in the form by their names.
  if (edited && isPending) return null;
  return (
    <TemplateForm
      key={edited ? `${edited._id} ${edited.revision}` : 'new'}
      edited={edited}
      onTakeTheirs={setEdited}
    />
  );
}
