import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { deleteKeptSignature, keepSignature } from '@/shared/savedAnswers/keptSignature';
import { EditIcon, TrashIcon } from '@/shared/ui/icons';

import { DrawnSignature } from './DrawnSignature';
import { KeepSignature, UseKeptSignature } from './KeptSignature';
import { InputFrame, type PictureFieldProps } from './InputFrame';
import { PictureInput } from './PictureInput';
import classes from './pictures.module.css';
import type { PictureValue } from './pictureValue';
import { loadScriptFonts, typedSignature } from './signatureInk';

const MODES = ['draw', 'type', 'upload'] as const;
type Mode = (typeof MODES)[number];

/** The most characters of a typed signature. */
const MAX_NAME = 60;

interface SignatureInputProps extends PictureFieldProps {
  value: PictureValue | undefined;
  /** The width of the signature's frame in the document divided by its height; undefined if there is no frame. */
  frameAspect?: number | undefined;
  /** True if the user can keep the signature for other documents. */
  canKeep?: boolean;
  onChange: (value: PictureValue | undefined) => void;
}

/** The input of a signature, which is drawn, typed in a script font, or uploaded. */
export function SignatureInput({
  value,
  frameAspect,
  canKeep = false,
  onChange,
  ...frame
}: SignatureInputProps) {
  const { t } = useTranslation();
  const { field, label } = frame;
  const group = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('draw');
  const [isEditing, setEditing] = useState(value === undefined);
  /** The value before editing or removing, which can be taken back. */
  const [previous, setPrevious] = useState<PictureValue>();
  const [name, setName] = useState('');
  const latestName = useRef('');
  useEffect(() => {
    latestName.current = name;
  });
  /** The mode that has set the current value; null for a value from before. */
  const [usedMode, setUsedMode] = useState<Mode | null>(null);
  /** The picture that this input has set last. Another one comes from outside, such as a cleared form. */
  const [ownImage, setOwnImage] = useState(value?.image);
  /** True if the browser keeps the signature that is being made now, so each stroke changes the kept one. */
  const [isKeeping, setKeeping] = useState(false);
  /** Changes when the inputs have to start empty. */
  const [generation, setGeneration] = useState(0);
  if (ownImage !== value?.image) {
    setOwnImage(value?.image);
    setEditing(value === undefined);
    setKeeping(false);
    setPrevious(undefined);
    setName('');
    setUsedMode(null);
    setGeneration(generation + 1);
  }
  const change = (next: PictureValue | undefined) => {
    if (isKeeping && next) keepSignature(next);
    setOwnImage(next?.image);
    setUsedMode(mode);
    onChange(next);
  };
  const changeName = (text: string) => {
    setName(text);
    change(typedSignature(text));
    void loadScriptFonts(text).then((hasLoaded) => {
      if (hasLoaded && latestName.current === text) change(typedSignature(text));
    });
  };
  const focusMainControl = () => {
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('[data-input]')?.focus());
  };
  const startEditing = (kept: PictureValue) => {
    setPrevious(kept);
    setEditing(true);
    setKeeping(false);
    setName('');
    setUsedMode(null);
    setGeneration(generation + 1);
    focusMainControl();
  };

  const keeping = canKeep && value && (
    <KeepSignature
      value={value}
      onKeep={() => {
        keepSignature(value);
        setKeeping(isEditing);
      }}
      onDelete={() => {
        deleteKeptSignature();
        setKeeping(false);
      }}
    />
  );

  if (value && !isEditing)
    return (
      <InputFrame {...frame} frameRef={group}>
        <SignaturePreview value={value} label={label} />
        <div className={classes['buttons']}>
          <Button
            size="xs"
            variant="default"
            data-input={field}
            leftSection={<EditIcon size={16} />}
            aria-label={t('signatureInput.changeOf', { field: label })}
            onClick={() => startEditing(value)}
          >
            {t('signatureInput.change')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<TrashIcon size={16} />}
            onClick={() => {
              change(undefined);
              startEditing(value);
            }}
          >
            {t('pictureInput.remove')}
          </Button>
        </div>
        {keeping}
      </InputFrame>
    );
  return (
    <InputFrame {...frame} frameRef={group}>
      {canKeep && !value && (
        <UseKeptSignature
          label={label}
          onUse={(kept) => {
            change(kept);
            setPrevious(undefined);
            setEditing(false);
            focusMainControl();
          }}
        />
      )}
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={t('signatureInput.mode', { field: label })}
        data={MODES.map((one) => ({ value: one, label: t(`signatureInput.${one}`) }))}
        value={mode}
        onChange={(next) => {
          setMode(next as Mode);
          // The next inputs are empty. The signature stays until another one replaces it.
          setName('');
          setUsedMode(null);
          setPrevious(previous ?? value);
        }}
      />
      {mode === 'draw' && <DrawnSignature key={generation} field={field} label={label} onChange={change} />}
      {mode === 'type' && (
        <>
          <TextInput
            data-input={field}
            label={t('signatureInput.name')}
            description={t('signatureInput.nameHint')}
            autoComplete="name"
            maxLength={MAX_NAME}
            value={name}
            onChange={(event) => changeName(event.currentTarget.value)}
            onKeyDown={(event) => {
              // Enter must not generate the document.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
        </>
      )}
      {mode === 'upload' && (
        <PictureInput
          key={generation}
          field={field}
          label={t('signatureInput.uploadLabel')}
          value={value}
          frameAspect={frameAspect}
          onChange={change}
        />
      )}
      {value && mode !== 'upload' && !(mode === 'draw' && usedMode === 'draw') && (
        <SignaturePreview value={value} label={label} />
      )}
      {previous && (
        <div className={classes['buttons']}>
          <Button
            size="xs"
            variant="subtle"
            onClick={() => {
              change(previous);
              setPrevious(undefined);
              setEditing(false);
              focusMainControl();
            }}
          >
            {t(value?.image === previous.image ? 'signatureInput.keep' : 'signatureInput.restore')}
          </Button>
        </div>
      )}
      {keeping}
    </InputFrame>
  );
}

/** The current signature on white paper. */
function SignaturePreview({ value, label }: { value: PictureValue; label: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes['signed']}>
      <img
        className={classes['preview']}
        src={value.image}
        alt={value.alternativeText || t('signatureInput.signed', { field: label })}
      />
    </div>
  );
}
