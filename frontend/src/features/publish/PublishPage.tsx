import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { CREATE_TEMPLATE_PATH } from '@/shared/paths';
import { useOwner, type Owner } from '@/shared/personal/owner';

import { EditTemplate } from './EditTemplate';
import { isUnpublished, type QueuedFile } from './severalFiles/fileQueue';
import { startInForm } from './severalFiles/openedFiles';
import { SeveralFiles } from './severalFiles/SeveralFiles';
import { useFileQueue, useQueueState, type Files } from './severalFiles/useFileQueue';
import { newUnfinishedName, writeTemplateFile } from './templateDraft';
import { TemplateForm } from './TemplateForm';

/**
 * The page for publishing a template, or for editing one (specification §2). The URL names the edited template or the
 * unfinished new one.
 */
export function PublishPage() {
  const [search] = useSearchParams();
  const owner = useOwner();
  const edited = search.get('edit');
  if (edited) return <EditTemplate key={`${owner} ${edited}`} id={edited} />;
  return <NewTemplates key={owner} owner={owner} name={search.get('draft')} />;
}

/** The form for a new template; after several files were chosen, their list, from which each can be opened. */
function NewTemplates({ owner, name }: { owner: Owner; name: string | null }) {
  const navigate = useNavigate();
  const [newName] = useState(() => newUnfinishedName('catalogue'));
  const [opened] = useState(() => new Set<string>());
  const files = useFileQueue();
  const { queue, changeSettings } = files;
  const { files: listed } = useQueueState(queue);
  const losesFiles = () => queue.get().files.some(isUnpublished);

  const queued = listed.find(({ id }) => id === name);
  if (queued)
    return <OpenedFile key={queued.id} owner={owner} queued={queued} files={files} opened={opened} />;
  if (listed.length > 0 && name === null) return <SeveralFiles files={files} opened={opened} />;
  const formName = name ?? newName;
  return (
    <TemplateForm
      key={formName}
      task={{ kind: 'new', name: formName }}
      onChooseSeveral={(chosen, { categories, keywords, country }) => {
        if (!queue.add(chosen)) return false;
        changeSettings({ categories, keywords, country });
        void navigate(CREATE_TEMPLATE_PATH);
        return true;
      }}
      losesFiles={losesFiles}
    />
  );
}

interface OpenedFileProps {
  owner: Owner;
  queued: QueuedFile;
  files: Files;
  opened: Set<string>;
}

/** A file of the list in the form for one template. */
function OpenedFile({ owner, queued, files: { queue, settings }, opened }: OpenedFileProps) {
  const { id, file } = queued;
  /** The file when it was opened. The form keeps its changes. */
  const [start] = useState(() => startInForm(queued, settings));
  // A reload finds the file as an unfinished template.
  useEffect(() => {
    opened.add(id);
    writeTemplateFile(id, file, owner);
  }, [id, file, owner, opened]);
  return (
    <TemplateForm
      task={{ kind: 'new', name: id }}
      listed={{ start, onPublished: ({ _id }) => queue.markPublished(id, _id) }}
      losesFiles={() => queue.get().files.some(isUnpublished)}
    />
  );
}
