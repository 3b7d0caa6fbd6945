import { useEffect, type RefObject } from 'react';
import { useSearchParams } from 'react-router';

import { currentOwner, type Owner } from '@/shared/personal/owner';

import { removeUnfinished, writeUnfinished, type UnfinishedTemplate } from './templateDraft';

/**
 * Stores a new template on the device while the admin works on it, and puts its name into the URL, so that a reload
 * finds it again. `name` is null for the edit of an existing template, which is not stored.
 */
export function useStoreUnfinished(
  name: string | null,
  owner: Owner,
  { draft, said }: UnfinishedTemplate,
  hasChanges: boolean,
  isDone: RefObject<boolean>,
): void {
  const [search, setSearch] = useSearchParams();
  const { title, categories, keywords, language, country } = draft;
  const isNamed = name !== null && search.get('draft') === name;
  useEffect(() => {
    // Changes after a logout are not stored.
    if (name === null || isDone.current || owner !== currentOwner()) return;
    if (hasChanges)
      writeUnfinished(name, { draft: { title, categories, keywords, language, country }, said }, owner);
    else if (isNamed) removeUnfinished(name, owner);
    if (hasChanges && !isNamed) setSearch({ draft: name }, { replace: true });
  }, [
    name,
    owner,
    hasChanges,
    isDone,
    isNamed,
    setSearch,
    title,
    categories,
    keywords,
    language,
    country,
    said,
  ]);
}
