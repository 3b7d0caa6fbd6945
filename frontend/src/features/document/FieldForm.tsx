import { Button, Progress, Switch, Text, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import type { Document } from '@/api/types';
import { LIMITS } from '@/shared/settings';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import classes from './FormPage.module.css';
import { isBlank, readDraft, writeDraft, type Draft } from './drafts';
import { areTooLong, isTooLong, lengthOf } from './limits';

interface FieldFormProps {
  document: Document;
  onGenerate: () => void;
}

/** One input per field, in the template's order. What is entered is kept as it is typed. */
export function FieldForm({ document, onGenerate }: FieldFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>(() => readDraft(document._id));
  /** Whether it is being asked if every field may be emptied. */
  const [clearing, setClearing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { fields } = document;

  // Stored a moment after the last key, and when the page is left.
  useEffect(() => {
    const timer = setTimeout(() => writeDraft(document._id, draft), 200);
    return () => clearTimeout(timer);
  }, [document._id, draft]);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  useEffect(() => {
    const keep = () => writeDraft(document._id, latest.current);
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [document._id]);

  const valueOf = (field: string) => draft.values[field] ?? '';
  const filled = fields.filter((field) => !isBlank(valueOf(field))).length;
  const allTooLong = areTooLong(fields.map(valueOf));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = fields.findIndex((field) => isTooLong(valueOf(field)));
    if (wrong >= 0 || allTooLong) {
      form.current?.querySelectorAll('textarea')[Math.max(0, wrong)]?.focus();
      return;
    }
    // The page stays until the next one has arrived, and the timer with it: it must not take the filling's name away.
    const named = { ...draft, filling: crypto.randomUUID() };
    setDraft(named);
    latest.current = named;
    writeDraft(document._id, named);
    onGenerate();
  };

  // Enter is a line of its own in a long text, so Ctrl or ⌘ goes with it to generate.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };

  const clear = () => {
    setClearing(false);
    setDraft((now) => ({ ...now, values: {}, filling: null }));
  };

  return (
    <form ref={form} className={classes['form']} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <div className={classes['progress']}>
        <Text size="sm" c="dimmed" id="filled">
          {fields.length === 0 ? t('form.noFields') : t('form.filled', { total: fields.length, filled })}
        </Text>
        {filled > 0 && (
          <Button variant="subtle" size="compact-sm" fw={400} onClick={() => setClearing(true)}>
            {t('form.clear')}
          </Button>
        )}
        {fields.length > 0 && (
          <Progress.Root className={classes['meter'] ?? ''} size={4} transitionDuration={120}>
            <Progress.Section value={(filled / fields.length) * 100} aria-labelledby="filled" />
          </Progress.Root>
        )}
      </div>
      <div className={classes['fields']} lang={document.language.code}>
        {fields.map((field) => {
          const value = valueOf(field);
          return (
            <Textarea
              key={field}
              label={<bdi>{field}</bdi>}
              autosize
              minRows={1}
              maxRows={12}
              autoComplete="off"
              value={value}
              error={
                isTooLong(value) &&
                t('form.tooLong', { limit: LIMITS.valueCharacters, length: lengthOf(value) })
              }
              onChange={(event) => {
                const { value: entered } = event.currentTarget;
                setDraft((now) => ({ ...now, filling: null, values: { ...now.values, [field]: entered } }));
              }}
            />
          );
        })}
      </div>
      {fields.length > 0 && (
        <Switch
          mt="lg"
          label={t('form.leaveBlank')}
          description={t('form.leaveBlankHint')}
          checked={draft.blank}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            setDraft((now) => ({ ...now, filling: null, blank: checked }));
          }}
        />
      )}
      {allTooLong && (
        <Text size="sm" c="red" role="alert" mt="md">
          {t('form.allTooLong', { limit: LIMITS.valuesKilobytes })}
        </Text>
      )}
      <div className={classes['end']}>
        <Button type="submit" size="md" fullWidth>
          {t('form.generate')}
        </Button>
      </div>
      <ConfirmDialog
        opened={clearing}
        title={t('form.clearTitle')}
        text={t('form.clearText')}
        confirm={t('form.clear')}
        cancel={t('cancel')}
        onConfirm={clear}
        onCancel={() => setClearing(false)}
      />
    </form>
  );
}
