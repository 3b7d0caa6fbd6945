import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import type { Document } from '@/api/types';
import { TEMPLATES, templatePath } from '@/shared/documents/paths';
import { useDocument } from '@/shared/documents/useDocument';
import { isBlank, valueOf } from '@/shared/drafts';
import { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { formatFileSize } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel } from '@/shared/lookups';
import { canSetPages } from '@/shared/pages/client';
import { LIMITS } from '@/shared/settings';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { LinkButton } from '@/shared/ui/LinkButton';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { Conflict } from './Conflict';
import { draftOf, isSame, readDraft, removeDraft, writeDraft, type Draft } from './draft';
import { carried, guessesOf, isSaidSame, saidOf, shown, toSend, type Said } from './fieldHelp';
import { FieldsEditor } from './FieldsEditor';
import { fileProblem, titleOfFile, type FileProblem } from './file';
import { FileDrop } from './FileDrop';
import classes from './PublishPage.module.css';
import { CurrentPages, Rehearsal } from './Rehearsal';
import { Renaming } from './Renaming';
import { Settings } from './Settings';
import { Trial } from './Trial';
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

interface TemplateFormProps {
  /** The edited template; null for a new one. */
  edited: Document | null;
  onTakeTheirs: (newest: Document) => void;
}

/** The form for a template's title, file and settings, with a preview before it is published. */
export function TemplateForm({ edited, onTakeTheirs }: TemplateFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const locale = useFormattingLocale();
  const label = useCategoryLabel();
  const [begun] = useState(() => (edited ? draftOf(edited, label) : readDraft()));
  /** The revision that will be replaced. It changes after the admin has seen the changes of others. */
  const [over, setOver] = useState(edited);
  const [renamed, setRenamed] = useState<Record<string, string>>({});
  /** The overrides of field settings; null if unchanged. */
  const [said, setSaid] = useState<Said | null>(null);
  /** The preview values by field. */
  const [tried, setTried] = useState<Record<string, string>>({});
  /** True if this browser cannot lay out pages itself. */
  const [unable, setUnable] = useState(() => !canSetPages());
  const opened = useDocument(edited?._id ?? null).data;
  const done = useRef(false);
  const title_ = edited ? t('publish.editTitle') : t('publish.title');
  usePageTitle(title_);

  const check = useCheck();
  const trial = useCheck();
  const publish = usePublish(() => {
    done.current = true;
    if (!edited) removeDraft();
    toast.success(edited ? t('publish.updated') : t('publish.created'));
    void navigate(TEMPLATES);
  });

  const form = useCheckedForm<Values, Problem>({
    initialValues: { ...begun, file: null },
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
    onSubmit: (values) => publish.mutate({ ...values, edited: over, renamed, help: saidNow() }),
  });
  const { file, ...draft } = form.values;
  const { title, categories, keywords, language, country } = draft;
  const seen = check.data;
  const refused = seen?.findings.some(({ severity }) => severity === 'error') ?? false;
  const incomplete = Object.values(form.problems).includes('fillall');
  const guesses = seen ? seen.help : guessesOf(opened?.help ?? []);
  const names = guesses.map(({ field }) => field);
  const before = carried(saidOf(opened?.help ?? []), seen ? renamed : {});
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

  useEffect(() => {
    if (!edited && !done.current) writeDraft({ title, categories, keywords, language, country });
  }, [edited, title, categories, keywords, language, country]);

  const look = (chosen: File, name: string) => {
    trial.forget();
    setRenamed({});
    check.mutate(
      { file: chosen, title: name },
      {
        onSuccess: ({ language: found }) => {
          // The detected language is used if the admin has not chosen one.
          if (found && !edited && !form.values.language) form.change({ language: found });
        },
      },
    );
  };

  const choose = (chosen: File | null) => {
    publish.reset();
    check.forget();
    trial.forget();
    const problem = chosen && fileProblem(chosen);
    const named = chosen && !title.trim() && !problem ? titleOfFile(chosen.name) : title;
    form.change({ file: chosen, title: named });
    // An invalid file is reported at once.
    if (chosen) form.mark(asProblem(problem));
    if (chosen && !problem) look(chosen, named);
  };

  const gone = edited && seen ? edited.fields.filter((field) => !seen.fields.includes(field)) : [];
  const added = edited && seen ? seen.fields.filter((field) => !edited.fields.includes(field)) : [];
  /** Returns the renamings that still fit a newer state of the template. */
  const fitting = ({ fields }: Document) =>
    Object.fromEntries(
      Object.entries(renamed).filter(([old, now]) => fields.includes(old) && !fields.includes(now)),
    );

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
              onSaveMine={(newest) => {
                setOver(newest);
                publish.mutate({
                  ...form.values,
                  edited: newest,
                  renamed: fitting(newest),
                  help: saidNow(),
                });
              }}
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
      {edited && <LeaveGuard unsaved={() => dirty && !done.current} onDiscard={() => undefined} />}
    </>
  );
}
