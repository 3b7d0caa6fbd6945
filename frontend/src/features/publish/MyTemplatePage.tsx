import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { useOwner } from '@/shared/personal/owner';

import { EditTemplate } from './EditTemplate';
import { TemplateAreaProvider } from './templateArea';
import { newUnfinishedName } from './templateDraft';
import { TemplateForm } from './TemplateForm';

/** The page for a new private template of the user, or for the edit of one. The URL names it. */
export function MyTemplatePage() {
  const [search] = useSearchParams();
  const owner = useOwner();
  const [newName] = useState(() => newUnfinishedName('own'));
  const edited = search.get('edit');
  const name = search.get('draft') ?? newName;
  return (
    <TemplateAreaProvider value="own">
      {edited ? (
        <EditTemplate key={`${owner} ${edited}`} id={edited} />
      ) : (
        <TemplateForm key={`${owner} ${name}`} task={{ kind: 'new', name }} />
      )}
    </TemplateAreaProvider>
  );
}
