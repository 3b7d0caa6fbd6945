import { Alert, Button, Switch, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import { LIMITS } from '@/shared/settings';
import { useStore } from '@/shared/store';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './DocumentPage.module.css';
import { beginGeneration, changeDraft, draft, type Draft } from './draft';
import { areTooLong, isTooLong, lengthOf } from './limits';

/** One input a field, in the template's order, prefilled with what was kept (specification §2, `/form-document`). */
export function FormPage() {
  const now = useStore(draft);
  if (!now) return <Navigate to="/user-home/user-all-documents" replace />;
  return <Form draft={now} />;
}

function goOn(from: HTMLTextAreaElement): void {
  const fields = [...(from.form?.querySelectorAll<HTMLTextAreaElement>('textarea:not([aria-hidden])') ?? [])];
  const next = fields[fields.indexOf(from) + 1];
  if (next) next.focus();
  else from.form?.requestSubmit();
}

function Form({ draft: { document, values, blank } }: { draft: Draft }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [refused, setRefused] = useState(false);
  usePageTitle(document.title);

  const texts = document.fields.map((name) => values[name] ?? '');
  const filled = texts.filter((text) => text.trim() !== '').length;
  const tooMuch = areTooLong(texts);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tooMuch || texts.some(isTooLong)) {
      setRefused(true);
      return;
    }
    beginGeneration();
    void navigate('/user-home/document-result');
  };

  const clear = () => {
    if (window.confirm(t('form.clearQuestion'))) changeDraft({ values: {} });
  };

  return (
    <>
      <header className={classes['head']}>
        <div className={classes['title']}>
          <h1>{t('form.title')}</h1>
          <p className={classes['meta']} dir="auto" lang={document.language.code}>
            {document.title}
          </p>
        </div>
        <div className={classes['actions']}>
          <LinkButton to={`/user-home/document/${encodeURIComponent(document._id)}`} variant="default">
            {t('form.template')}
          </LinkButton>
          <Button variant="default" disabled={filled === 0} onClick={clear}>
            {t('form.clear')}
          </Button>
        </div>
      </header>
      <div className={classes['columns']}>
        <form className={classes['form']} onSubmit={submit} noValidate>
          {document.fields.length === 0 && <p>{t('form.noFields')}</p>}
          {document.fields.map((name, index) => (
            <Textarea
              key={name}
              label={<bdi lang={document.language.code}>{name}</bdi>}
              dir="auto"
              autosize
              minRows={1}
              maxRows={12}
              autoFocus={index === 0}
              value={values[name] ?? ''}
              error={
                isTooLong(values[name] ?? '') &&
                t('form.tooLong', { limit: LIMITS.valueCharacters, length: lengthOf(values[name] ?? '') })
              }
              onChange={(event) => changeDraft({ values: { ...values, [name]: event.currentTarget.value } })}
              onKeyDown={(event) => {
                // Enter goes on to the next field, and from the last one to the result; Shift+Enter breaks the line.
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                event.preventDefault();
                goOn(event.currentTarget);
              }}
            />
          ))}
          {refused && tooMuch && (
            <Alert color="red" variant="light" role="alert">
              {t('form.allTooLong', { limit: LIMITS.valuesKilobytes })}
            </Alert>
          )}
          <div className={classes['foot']}>
            <Switch
              label={t('form.leaveBlank')}
              description={t('form.leaveBlankHint')}
              checked={blank}
              onChange={(event) => changeDraft({ blank: event.currentTarget.checked })}
            />
            <div className={classes['actions']}>
              <span className={classes['meta']} aria-live="polite">
                {t('form.filled', { count: document.fields.length, filled })}
              </span>
              <Button type="submit">{t('form.generate')}</Button>
            </div>
          </div>
        </form>
        {document.thumbnail && (
          <aside className={classes['aside']}>
            <img
              className={classes['sheet']}
              src={document.thumbnail}
              width={document.thumbnailWidth}
              height={document.thumbnailHeight}
              alt=""
            />
          </aside>
        )}
      </div>
    </>
  );
}
