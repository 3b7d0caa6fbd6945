import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { FieldSettings } from '../fieldSettings';
import { PictureField } from '../PictureField';
import { isPicture, type FieldValue } from '../values';

import { DialogCell } from './DialogCell';
import classes from './ListInput.module.css';

interface PictureCellProps {
  settings: FieldSettings;
  /** The picture; an empty text if there is none. */
  value: FieldValue;
  path: string;
  /** The accessible name of the cell. */
  name: string;
  lang: string;
  onFocus: () => void;
  onChange: (value: FieldValue) => void;
}

/** A picture or signature in a row of a list, as a small picture. It is edited in a dialog. */
export function PictureCell({ settings, value, path, name, lang, onFocus, onChange }: PictureCellProps) {
  const { t, i18n } = useTranslation();
  const type = settings.kind === 'signature' ? 'Signature' : 'Picture';
  const isFilled = isPicture(value);
  const state = t(`list.pictures.${isFilled ? 'has' : 'no'}${type}`);
  return (
    <DialogCell
      {...{ path, name, state, lang, onFocus }}
      button={
        isFilled ? (
          <img src={value.image} alt="" className={classes['thumbnail']} />
        ) : (
          <span lang={i18n.language}>{t(`list.pictures.add${type}`)}</span>
        )
      }
    >
      {(close) => (
        <>
          <PictureField
            {...{ settings, value, onFocus, onChange }}
            cell={{ path, name: settings.label || settings.field }}
          />
          <Button fullWidth mt="md" lang={i18n.language} onClick={close}>
            {t('close')}
          </Button>
        </>
      )}
    </DialogCell>
  );
}
