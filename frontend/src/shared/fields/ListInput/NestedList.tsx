import { createContext, lazy, Suspense, useContext } from 'react';
import { useTranslation } from 'react-i18next';

import type { DerivedValue } from '@/shared/pages/messages';

import type { FieldSettings } from '../fieldSettings';
import type { Row } from '../values';

import { DialogCell } from './DialogCell';

/** The derived values of all cells, for the lists in dialogs. */
export const DerivedValuesContext = createContext<Record<string, DerivedValue>>({});

const ListInput = lazy(() => import('./ListInput').then((module) => ({ default: module.ListInput })));

interface NestedListProps {
  settings: FieldSettings;
  rows: Row[];
  path: string;
  /** The accessible name of the cell. */
  name: string;
  lang: string;
  country: string | null;
  onFocus: (path: string) => void;
  onChange: (rows: Row[]) => void;
}

/** A list in a row of a list. It is edited in a dialog. */
export function NestedList(props: NestedListProps) {
  const { rows, path, name, lang, onFocus } = props;
  const { t, i18n } = useTranslation();
  const count = t('list.rows', { count: rows.length });
  return (
    <DialogCell
      {...{ path, name, lang }}
      state={count}
      size="xl"
      button={<span lang={i18n.language}>{count}</span>}
      onFocus={() => onFocus(path)}
    >
      {() => (
        <Suspense fallback={<p role="status">{t('loading')}</p>}>
          <NestedInput {...props} />
        </Suspense>
      )}
    </DialogCell>
  );
}

function NestedInput({ settings, rows, path, lang, country, onFocus, onChange }: NestedListProps) {
  const derivedValues = useContext(DerivedValuesContext);
  return (
    <ListInput
      settings={settings}
      rows={rows}
      path={path}
      lang={lang}
      country={country}
      derivedValues={derivedValues}
      onFocus={onFocus}
      onChange={onChange}
    />
  );
}
