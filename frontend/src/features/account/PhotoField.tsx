import { Button, Text } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { Avatar } from '@/shared/ui/Avatar';
import { UploadIcon } from '@/shared/ui/icons';

import classes from './AccountPage.module.css';
import { PhotoError, shrinkPhoto, type Photo, type PhotoProblem } from './photo';

interface PhotoFieldProps {
  /** The stored photo. */
  photo: string | null | undefined;
  /** The chosen photo that is not saved yet. */
  chosenPhoto: Photo | undefined;
  onChoose: (photo: Photo) => void;
  onProblem: (problem: PhotoProblem) => void;
  error: string | null;
}

/** A round photo with a button to choose another. A chosen photo is scaled down before it is sent. */
export function PhotoField({ photo, chosenPhoto, onChoose, onProblem, error }: PhotoFieldProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);

  const choose = async (file: File) => {
    try {
      onChoose(await shrinkPhoto(file));
    } catch (failure) {
      onProblem(failure instanceof PhotoError ? failure.problem : 'photoUnreadable');
    }
  };

  return (
    <div className={classes['photo']}>
      <Avatar photo={chosenPhoto?.url ?? photo} size={96} />
      <div>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            // Allows the same file to be chosen again after it was corrected.
            event.currentTarget.value = '';
            if (file) void choose(file);
          }}
        />
        <Button variant="default" leftSection={<UploadIcon />} onClick={() => input.current?.click()}>
          {t('accountPage.choosePhoto')}
        </Button>
        <Text size="sm" c={error ? 'var(--harm)' : 'dimmed'} mt={6} role="status">
          {error ?? (chosenPhoto ? t('accountPage.photoChosen') : t('accountPage.photoHint'))}
        </Text>
      </div>
    </div>
  );
}
