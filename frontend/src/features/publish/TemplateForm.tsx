import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';

import { ApiError } from '@/api/error';
import { TEMPLATES, templatePath } from '@/shared/documents/paths';
import type { OpenDocument } from '@/shared/documents/useDocument';
import { isBlank, valueOf } from '@/shared/drafts';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { formatFileSize } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel } from '@/shared/lookups';
import { canSetPages } from '@/shared/pages/client';
import { currentOwner } from '@/shared/personal/owner';
import { LIMITS } from '@/shared/settings';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { LinkButton } from '@/shared/ui/LinkButton';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { Conflict, type Merge } from './Conflict';
import {
  draftOf,
  EMPTY,
  isSame,
  readFile,
  readUnfinished,
  removeUnfinished,
  writeFile,
  writeUnfinished,
  type Draft,
} from './draft';
import { carried, carriedHelp, guessesOf, isSaidSame, saidOf, shown, toSend, type Said } from './fieldHelp';
import { FieldsEditor } from './FieldsEditor';
import { fileProblem, titleOfFile, type FileProblem } from './file';
import { FileDrop } from './FileDrop';
import classes from './PublishPage.module.css';
import { CurrentPages, Rehearsal } from './Rehearsal';
import { Renaming } from './Renaming';
import { Settings } from './Settings';
import { Trial } from './Trial';
import { UnfinishedTemplates } from './UnfinishedTemplates';
import { useCheck } from './useCheck';
import { usePublish } from './usePublish';

type Values = Draft & { file: File | null };
type Problem = 'fillall' | 'titleTooLong' | FileProblem;

function titleProblem(title: string): { title?: Problem } {
  if (!title.trim()) return { title: 'fillall' };
  return [...title.trim()].length > LIMITS.titleCharacters ? { title: 'titleTooLong' } : {};
}

function asProblem(problem: FileProblem | null): { file?: Problem } {
  return problem ? { file: problem } : {};
}

/** A new template, kept on the device under the name in the URL, or the edit of a template. */
export type TemplateWork = { kind: 'new'; name: string } | { kind: 'edit'; begun: OpenDocument };

interface TemplateFormProps {
  work: TemplateWork;
  onTakeTheirs: (newest: OpenDocument) => void;
}

/** The form for a template's title, file and settings, with a preview before it is published. */
export function TemplateForm({ work, onTakeTheirs }: TemplateFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const errorText = useErrorText();
  const locale = useFormattingLocale();
  const label = useCategoryLabel();
  const [owner] = useState(currentOwner);
  /** The name of a new template. */
  const name = work.kind === 'new' ? work.name : null;
  const [kept] = useState(() => ({
    unfinished: name === null ? null : readUnfinished(name, owner),
    file: name === null ? null : readFile(name, owner),
  }));
  /** The state that will be replaced. It changes after the admin has seen the changes of others. */
  const [over, setOver] = useState(work.kind === 'edit' ? work.begun : null);
  const edited = over?.document ?? null;
  const [begun, setBegun] = useState(() => (edited ? draftOf(edited, label) : EMPTY));
  const [renamed, setRenamed] = useState<Record<string, string>>({});
  /** The overrides of field settings; null if unchanged. */
  const [said, setSaid] = useState<Said | null>(kept.unfinished?.said ?? null);
  /** The preview values by field. */
  const [tried, setTried] = useState<Record<string, string>>({});
  /** True if this browser cannot lay out pages itself. */
  const [unable, setUnable] = useState(() => !canSetPages());
  const done = useRef(false);
  const title_ = edited ? t('publish.editTitle') : t('publish.title');
  usePageTitle(title_);

  const check = useCheck();
  const trial = useCheck();
  const publish = usePublish(() => {
    done.current = true;
    if (name !== null) removeUnfinished(name, owner);
    toast.success(edited ? t('publish.updated') : t('publish.created'));
    void navigate(TEMPLATES);
  });

  const form = useCheckedForm<Values, Problem>({
    initialValues: { ...(kept.unfinished?.draft ?? begun), file: kept.file },
    check: ({ title, file }) => ({
      ...titleProblem(title),
      ...(file ? asProblem(fileProblem(file)) : edited ? {} : { file: 'fillall' as const }),
    }),
    // Missing input is reported once, above the button.
    say: (problem, _, { file: chosen }) =>
      problem === 'fillall' ||
      t(`publish.${problem}`, {
        size: chosen ? formatFileSize(chosen.size, locale) : '',
        limit: problem === 'titleTooLong' ? LIMITS.titleCharacters : LIMITS.templateMegabytes,
      }),
    onSubmit: (values) => publish.mutate({ ...values, edited, renamed, help: saidNow() }),
  });
  const { file, ...draft } = form.values;
  const { title, categories, keywords, language, country } = draft;
  const seen = check.data;
  const refused = seen?.findings.some(({ severity }) => severity === 'error') ?? false;
  const incomplete = Object.values(form.problems).includes('fillall');
  const guesses = seen ? seen.help : guessesOf(over?.help ?? []);
  const names = guesses.map(({ field }) => field);
  const before = carried(saidOf(over?.help ?? []), seen ? renamed : {});
  // The server uses the same default if no language is chosen.
  const lang = language ?? 'en';
  const fields = guesses.map((guess) => shown(guess, said ?? before));
  const { toInput, toPages } = useLinkedFields(fields, lang, country);
  const saidAnew = said !== null && !isSaidSame(names, said, before);
  /** Returns the overrides to send, or null if they are unchanged. */
  function saidNow() {
    return saidAnew ? toSend(names, said) : null;
  }
  const dirty = file !== null || saidAnew || !isSame(begun, draft);
  // A file that cannot be read will not be published either.
  const unreadable = check.error instanceof ApiError && check.error.status >= 400 && check.error.status < 429;

  // A new template is kept while the admin works on it, and its name in the URL finds it again.
  const isNamed = name !== null && search.get('draft') === name;
  useEffect(() => {
    // Changes after a logout are not stored.
    if (name === null || done.current || owner !== currentOwner()) return;
    if (dirty)
      writeUnfinished(name, { draft: { title, categories, keywords, language, country }, said }, owner);
    else if (isNamed) removeUnfinished(name, owner);
    if (dirty && !isNamed) setSearch({ draft: name }, { replace: true });
  }, [name, owner, dirty, isNamed, setSearch, title, categories, keywords, language, country, said]);

  const look = (chosen: File, called: string) => {
    trial.forget();
    setRenamed({});
    check.mutate(
      { file: chosen, title: called },
      {
        onSuccess: ({ language: found }) => {
          // The detected language is used if the admin has not chosen one.
          if (found && !edited && !form.values.language) form.change({ language: found });
        },
      },
    );
  };

  // The file of an unfinished template is checked again, for its fields and pages.
  const lookAgain = useRef(() => kept.file && look(kept.file, title));
  useEffect(() => void lookAgain.current(), []);

  const choose = (chosen: File | null) => {
    publish.reset();
    check.forget();
    trial.forget();
    const problem = chosen && fileProblem(chosen);
    const named = chosen && !title.trim() && !problem ? titleOfFile(chosen.name) : title;
    form.change({ file: chosen, title: named });
    if (name !== null) writeFile(name, problem ? null : chosen, owner);
    // An invalid file is reported at once.
    if (chosen) form.mark(asProblem(problem));
    if (chosen && !problem) look(chosen, named);
  };

  const gone = edited && seen ? edited.fields.filter((field) => !seen.fields.includes(field)) : [];
  const added = edited && seen ? seen.fields.filter((field) => !edited.fields.includes(field)) : [];
  /** Returns the renamings that still fit a newer state of the template. */
  const fitting = ({ document: { fields } }: OpenDocument) =>
    Object.fromEntries(
      Object.entries(renamed).filter(([old, now]) => fields.includes(old) && !fields.includes(now)),
    );

  const saveMerged = ({ newest, theirs, draft: chosen, said: chosenSaid, file: side }: Merge) => {
    const ownFile = side === 'mine' ? file : null;
    const fieldsNow = (ownFile && seen ? seen.help : newest.help).map(({ field }) => field);
    if (!ownFile) choose(null);
    setOver(newest);
    setBegun(theirs.draft);
    setSaid(chosenSaid);
    form.change(chosen);
    publish.mutate({
      ...chosen,
      file: ownFile,
      edited: newest.document,
      renamed: ownFile ? fitting(newest) : {},
      help: isSaidSame(fieldsNow, chosenSaid, theirs.said) ? null : toSend(fieldsNow, chosenSaid),
    });
  };

  const conflict = publish.error instanceof ApiError && publish.error.code === 'template_changed';
  const sending = publish.isPending ? publish.sent : check.isPending ? check.sent : undefined;
  const pages = trial.data ?? seen;
  // Without any value the template is shown unfilled.
  const valuesTried = seen?.fields.some((field) => !isBlank(valueOf(tried, field)))
    ? Object.fromEntries(seen.fields.map((field) => [field, valueOf(tried, field)]))
    : undefined;
  return (
    <>
      <header className={classes['header']}>
        <h1>{title_}</h1>
        <p>{edited ? <bdi>{edited.title}</bdi> : t('publish.lead')}</p>
      </header>
      {name !== null && <UnfinishedTemplates owner={owner} name={name} shown={!dirty} />}
      <form {...form.element} className={classes['columns']}>
        <Stack gap="lg" className={classes['sheet'] ?? ''}>
          <TextInput
            label={t('publish.documentTitle')}
            autoComplete="off"
            size="md"
            disabled={publish.isPending}
            {...form.input('title')}
          />
          <FileDrop
            file={file}
            onChoose={choose}
            error={form.errorOf('file')}
            sent={sending}
            hint={edited ? t('publish.fileStays', { version: edited.templateVersion }) : undefined}
          />
          {check.error && file && (
            <Alert color="red" variant="light" role="alert" title={t('publish.checkFailed')}>
              {errorText(check.error)}
              {!unreadable && (
                <Button variant="default" size="xs" ms="sm" onClick={() => look(file, title)}>
                  {t('retry')}
                </Button>
              )}
            </Alert>
          )}
          {conflict && over && (
            <Conflict
              edited={over}
              base={{
                draft: begun,
                said: before,
                guesses: carriedHelp(guessesOf(over.help), seen ? renamed : {}),
              }}
              mine={{ draft, said: said ?? before, guesses }}
              file={file}
              fitting={fitting}
              onSave={saveMerged}
              onTakeTheirs={(newest) => {
                done.current = true;
                onTakeTheirs(newest);
              }}
            />
          )}
          {publish.error && !conflict && (
            <Alert
              color="red"
              variant="light"
              role="alert"
              title={edited ? t('publish.documentUpdateFailed') : t('publish.documentCreationFailed')}
            >
              {errorText(publish.error)}
            </Alert>
          )}
          {incomplete && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {edited ? t('publish.titleMissing') : t('publish.fillall')}
            </Alert>
          )}
          <div className={classes['buttons']}>
            <Button
              type="submit"
              size="md"
              loading={publish.isPending}
              disabled={refused || unreadable || check.isPending || (edited !== null && !dirty)}
              className={classes['confirm'] ?? ''}
            >
              {edited ? t('publish.save') : t('publish.confirm')}
            </Button>
            {edited && (
              <LinkButton to={templatePath(edited._id)} variant="subtle" size="md">
                {t('cancel')}
              </LinkButton>
            )}
          </div>
          {pages && seen ? (
            <Rehearsal
              seen={seen}
              pdf={pages.pdf}
              values={valuesTried}
              toPages={toPages}
              onUnable={() => setUnable(true)}
              title={title}
              lang={language ?? undefined}
            />
          ) : (
            edited && !file && <CurrentPages document={edited} />
          )}
        </Stack>
        <div className={classes['sheet']}>
          <Stack gap="lg">
            <Settings
              values={draft}
              change={form.change}
              disabled={publish.isPending}
              read={seen?.language ?? null}
            />
            {!refused && gone.length > 0 && added.length > 0 && (
              <Renaming
                gone={gone}
                added={added}
                lang={language ?? undefined}
                renamed={renamed}
                onChange={setRenamed}
              />
            )}
            {!refused && guesses.length > 0 && (
              <FieldsEditor
                guesses={guesses}
                said={said ?? before}
                lang={language ?? undefined}
                country={country}
                disabled={publish.isPending}
                onChange={setSaid}
              />
            )}
            {seen && !refused && seen.fields.length > 0 && file && (
              <Trial
                {...toInput}
                help={fields}
                lang={lang}
                country={country}
                values={tried}
                onChange={(values) => {
                  setTried(values);
                  if (Object.keys(values).length === 0) trial.forget();
                }}
                fill={
                  unable
                    ? {
                        busy: trial.isPending,
                        start: () =>
                          trial.mutate({ file, title, trial: { fields: seen.fields, values: tried } }),
                      }
                    : null
                }
              />
            )}
            {trial.error && (
              <Alert color="red" variant="light" role="alert">
                {errorText(trial.error)}
              </Alert>
            )}
          </Stack>
        </div>
      </form>
      <LeaveGuard
        unsaved={() => dirty && !done.current}
        onDiscard={() => undefined}
        {...(name !== null && {
          kept: {
            title: t('publish.leaveTitle'),
            text: t('publish.leaveText', { create: t('createDocument') }),
            confirm: t('publish.leave'),
          },
        })}
      />
    </>
  );
}
