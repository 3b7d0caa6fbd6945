import { Button, Loader, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { DropArea, FILE_INPUT_CLASS, INVITATION_CLASS } from '@/shared/ui/DropArea';
import { EditIcon, TrashIcon, UploadIcon } from '@/shared/ui/icons';

import { InputFrame, type PictureFieldProps } from './InputFrame';
import classes from './pictures.module.css';
import { withAlternativeText, type PictureValue } from './pictureValue';
import { MAX_FILE_MEGABYTES, MAX_MEGAPIXELS } from './readPicture';
import { usePictureChoice, type EditedPicture } from './usePictureChoice';

const CropDialog = lazy(() => import('./CropDialog').then((module) => ({ default: module.CropDialog })));

/** The most characters of an alternative text, which screen readers read in one go. */
const MAX_ALTERNATIVE_TEXT = 300;

export interface PictureInputProps extends PictureFieldProps {
  value: PictureValue | undefined;
  /** The width of the picture's frame in the document divided by its height; undefined if there is no frame. */
  frameAspect?: number | undefined;
  onChange: (value: PictureValue | undefined) => void;
}

/** The input of a picture, which is chosen, dropped, pasted or taken with a camera, and can be cropped and turned. */
export function PictureInput({ value, frameAspect, onChange, ...frame }: PictureInputProps) {
  const { t } = useTranslation();
  const choice = usePictureChoice(value, onChange);
  const [editedPicture, setEditedPicture] = useState<EditedPicture | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const isTouched = useMediaQuery('(pointer: coarse)');

  /** Moves the focus when the control that had it is about to disappear. */
  const focusMainControl = () => {
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('[data-input]')?.focus());
  };
  const choose = (file: File | undefined) => {
    if (file) void choice.choose(file).then(focusMainControl);
  };
  return (
    <InputFrame
      {...frame}
      frameRef={group}
      onPaste={(event) => {
        const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
        if (!file) return;
        event.preventDefault();
        choose(file);
      }}
    >
      <DropArea
        className={classes['area']}
        isFilled={value !== undefined}
        hasError={Boolean(choice.problem || frame.error)}
        onDrop={([file]) => choose(file)}
      >
        {(isDraggedOver) =>
          value ? (
            <img
              className={classes['preview']}
              src={value.image}
              alt={value.alternativeText || t('pictureInput.chosen', { field: frame.label })}
            />
          ) : (
            <>
              <FileControl field={frame.field} label={frame.label} onChoose={choose} />
              <div className={INVITATION_CLASS}>
                <UploadIcon size={28} />
                <Text fw={600} size="sm">
                  {isDraggedOver ? t('pictureInput.dropHere') : t('pictureInput.choose')}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(isTouched ? 'pictureInput.hintTouch' : 'pictureInput.hint', {
                    limit: MAX_FILE_MEGABYTES,
                  })}
                </Text>
              </div>
            </>
          )
        }
      </DropArea>
      <div className={classes['buttons']}>
        {value && <ReplaceButton field={frame.field} label={frame.label} onChoose={choose} />}
        {isTouched && <CameraButton onChoose={choose} />}
        {value && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<EditIcon size={16} />}
              disabled={choice.isBusy}
              onClick={() => void choice.openEditor(setEditedPicture)}
            >
              {t('pictureInput.crop')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<TrashIcon size={16} />}
              onClick={() => {
                choice.remove();
                focusMainControl();
              }}
            >
              {t('pictureInput.remove')}
            </Button>
          </>
        )}
      </div>
      <div className={classes['status']} data-shown={choice.isBusy || choice.canUndo || undefined}>
        <span role="status">
          {choice.isBusy ? (
            <>
              <Loader size={14} /> {t('pictureInput.preparing')}
            </>
          ) : (
            choice.canUndo && t(value ? 'pictureInput.replaced' : 'pictureInput.removed')
          )}
        </span>
        {choice.canUndo && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              choice.undo();
              focusMainControl();
            }}
          >
            {t('undo')}
          </Button>
        )}
      </div>
      {choice.problem && (
        <Text size="sm" c="var(--harm)" role="alert">
          {t(`pictureInput.problems.${choice.problem}`, {
            limit: choice.problem === 'tooManyPixels' ? MAX_MEGAPIXELS : MAX_FILE_MEGABYTES,
          })}
        </Text>
      )}
      {value && (
        <TextInput
          size="xs"
          label={t('pictureInput.alternativeText')}
          description={t('pictureInput.alternativeTextHint')}
          autoComplete="off"
          maxLength={MAX_ALTERNATIVE_TEXT}
          value={value.alternativeText ?? ''}
          onChange={(event) => onChange(withAlternativeText(value, event.currentTarget.value))}
          onKeyDown={(event) => {
            // Enter must not generate the document.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      )}
      {editedPicture && (
        <Suspense fallback={null}>
          <CropDialog
            picture={editedPicture}
            frameAspect={frameAspect}
            onCancel={() => setEditedPicture(null)}
            onConfirm={(edit) => {
              setEditedPicture(null);
              void choice.applyEdit({ original: editedPicture.original, edit });
            }}
          />
        </Suspense>
      )}
    </InputFrame>
  );
}

interface FileControlProps {
  field: string;
  label: string;
  onChoose: (file: File | undefined) => void;
}

/** The native file input, which covers its area invisibly, so that a click, a key and a drop all reach it. */
function FileControl({ field, label, onChoose }: FileControlProps) {
  const { t } = useTranslation();
  return (
    <input
      type="file"
      accept="image/*"
      data-input={field}
      className={FILE_INPUT_CLASS}
      aria-label={t('pictureInput.chooseFor', { field: label })}
      onChange={(event) => {
        const [file] = event.currentTarget.files ?? [];
        // Allows the same file to be chosen again after it was corrected.
        event.currentTarget.value = '';
        onChoose(file);
      }}
    />
  );
}

/** The button that chooses another file. */
function ReplaceButton({ field, label, onChoose }: FileControlProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <HiddenFileInput inputRef={input} onChoose={onChoose} />
      <Button
        size="xs"
        variant="default"
        data-input={field}
        leftSection={<UploadIcon size={16} />}
        aria-label={t('pictureInput.replaceOf', { field: label })}
        onClick={() => input.current?.click()}
      >
        {t('pictureInput.replace')}
      </Button>
    </>
  );
}

/** The button that opens the camera of a phone. */
function CameraButton({ onChoose }: Pick<FileControlProps, 'onChoose'>) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <HiddenFileInput inputRef={input} capture onChoose={onChoose} />
      <Button id={id} size="xs" variant="default" onClick={() => input.current?.click()}>
        {t('pictureInput.camera')}
      </Button>
    </>
  );
}

interface HiddenFileInputProps {
  inputRef: React.RefObject<HTMLInputElement | null>;
  capture?: boolean;
  onChoose: (file: File | undefined) => void;
}

function HiddenFileInput({ inputRef, capture, onChoose }: HiddenFileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      accept="image/*"
      hidden
      {...(capture && { capture: 'environment' as const })}
      onChange={(event) => {
        const [file] = event.currentTarget.files ?? [];
        event.currentTarget.value = '';
        onChoose(file);
      }}
    />
  );
}
