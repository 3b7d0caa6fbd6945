import { Checkbox, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldKind } from '@/shared/fields/fieldSettings';

import { TEXT_KINDS } from '../fieldSettings';

import classes from './Marking.module.css';
import { nameProblem, type MarkedField } from './markedFields';

export interface FieldListHandle {
  /** Moves the focus to the name of a field, also of one that is added by the same event. */
  focusName(id: string): void;
}

type FieldChange = Partial<Pick<MarkedField, 'name' | 'kind' | 'isAccepted'>>;

interface FieldListProps {
  ref: Ref<FieldListHandle>;
  fields: readonly MarkedField[];
  /** The number of blanks that are not listed. */
  omitted: number;
  /** The language of the document, BCP 47. */
  lang: string | undefined;
  onFocus: (id: string) => void;
  onChange: (id: string, change: FieldChange) => void;
  onRemove: (field: MarkedField) => void;
}

/** The fields beside the pages: each is accepted, named and given a kind. Enter accepts one and goes to the next. */
export function FieldList({ ref, fields, omitted, lang, onFocus, onChange, onRemove }: FieldListProps) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  /** The field whose name gets the focus. It may not be rendered yet. */
  const wantedId = useRef<string | null>(null);
  const focusWanted = () => {
    const input = [...(section.current?.querySelectorAll<HTMLInputElement>('input[data-name]') ?? [])].find(
      ({ dataset }) => dataset['name'] === wantedId.current,
    );
    // The input of a hidden list gets the focus when the list is shown.
    if (!input || input.getClientRects().length === 0) return;
    wantedId.current = null;
    input.focus();
    input.select();
  };
  const focusName = (id: string) => {
    wantedId.current = id;
    focusWanted();
  };
  useImperativeHandle(ref, () => ({ focusName }));
  useEffect(focusWanted);

  /** Accepts a field under a name, as one step for undo, and goes to the next one that is not accepted. */
  const acceptAndGoOn = (at: number, name: string) => {
    const field = fields[at];
    if (!field) return;
    onChange(field.id, { name, isAccepted: true });
    const next = [...fields.slice(at + 1), ...fields.slice(0, at)].find(({ isAccepted }) => !isAccepted);
    if (next) focusName(next.id);
  };

  return (
    <section ref={section} className={classes['list']} aria-labelledby="marking-fields">
      <h2 id="marking-fields">{t('fields', { count: fields.length })}</h2>
      <p className={classes['hint']}>{fields.length > 0 ? t('marking.listHint') : t('marking.noBlanks')}</p>
      {omitted > 0 && <p className={classes['hint']}>{t('marking.omitted', { count: omitted })}</p>}
      <ol>
        {fields.map((field, at) => (
          <FieldItem
            key={field.id}
            field={field}
            lang={lang}
            onFocus={() => onFocus(field.id)}
            onChange={(change) => onChange(field.id, change)}
            onEnter={(name) => acceptAndGoOn(at, name)}
            onRemove={() => {
              // The button of the removed field had the focus.
              const next = fields[at + 1] ?? fields[at - 1];
              onRemove(field);
              if (next) focusName(next.id);
            }}
          />
        ))}
      </ol>
    </section>
  );
}

interface FieldItemProps {
  field: MarkedField;
  lang: string | undefined;
  onFocus: () => void;
  onChange: (change: FieldChange) => void;
  onEnter: (name: string) => void;
  onRemove: () => void;
}

function FieldItem({ field, lang, onFocus, onChange, onEnter, onRemove }: FieldItemProps) {
  const { t } = useTranslation();
  const { id, name, kind, role, isAccepted, isUncertain, isChosen, places, context } = field;
  /** The typed name. It becomes the name, as one step for undo, when the input is left. */
  const [typed, setTyped] = useState(name);
  const [lastName, setLastName] = useState(name);
  if (lastName !== name) {
    setLastName(name);
    setTyped(name);
  }
  const problem = nameProblem(typed);
  const remarks = [
    role !== 'value' && t(role === 'row' ? 'marking.row' : 'marking.optional'),
    places.length > 1 && t('marking.places', { count: places.length }),
    isUncertain && !isAccepted && t('marking.uncertain'),
  ].filter((remark) => remark !== false);
  const takeName = () => {
    if (typed !== name) onChange({ name: typed });
  };
  return (
    <li className={classes['field']} data-accepted={isAccepted || undefined} onFocus={onFocus}>
      <div className={classes['fieldRow']}>
        <Checkbox
          checked={isAccepted}
          aria-label={t('marking.accept', { name })}
          onChange={(event) => onChange({ isAccepted: event.currentTarget.checked })}
        />
        <TextInput
          data-name={id}
          data-typed={typed === name ? 'same' : 'other'}
          className={classes['name'] ?? ''}
          size="sm"
          lang={lang}
          dir="auto"
          autoComplete="off"
          aria-label={t('marking.name', { around: context })}
          value={typed}
          error={problem && t(`marking.${problem}`)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={takeName}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(name);
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onEnter(typed);
          }}
        />
        {role === 'value' && (
          <NativeSelect
            className={classes['kind'] ?? ''}
            size="sm"
            aria-label={t('marking.kind', { name })}
            data={kindsOf(field).map((value) => ({ value, label: t(`fieldEditor.kinds.${value}`) }))}
            value={kind}
            onChange={(event) => onChange({ kind: event.currentTarget.value as FieldKind })}
          />
        )}
        {isChosen && <CloseButton size="sm" aria-label={t('marking.remove', { name })} onClick={onRemove} />}
      </div>
      {remarks.length > 0 && <p className={classes['remarks']}>{remarks.join(' · ')}</p>}
      <p className={classes['context']} lang={lang} dir="auto">
        {context}
      </p>
    </li>
  );
}

/** Returns the kinds that a place can have: a check box is yes or no, all others are texts or pictures. */
function kindsOf({ kind, places }: MarkedField): FieldKind[] {
  const isCheckBox = places.every(({ form }) => form === 'check_box');
  const kinds: FieldKind[] = isCheckBox ? ['yes_no', ...TEXT_KINDS] : [...TEXT_KINDS];
  return kinds.includes(kind) ? kinds : [kind, ...kinds];
}
