import { Button, Group, Modal, Stack, Switch, Text } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import ReactCrop, { type PercentCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';

import { drawEdited } from './encodePicture';
import {
  centredArea,
  scaleToFit,
  turnedArea,
  turnedSize,
  WHOLE_PICTURE,
  type Area,
  type PictureEdit,
} from './geometry';
import classes from './pictures.module.css';
import type { DecodedPicture } from './readPicture';
import type { EditedPicture } from './usePictureChoice';

/** The longest side of the picture in the dialog, in pixels. */
const SHOWN_SIDE_PX = 1200;
/** The smallest side of a crop, in pixels of the screen. */
const MIN_CROP_PX = 16;

interface CropDialogProps {
  picture: EditedPicture;
  /** The width of the picture's frame divided by its height. */
  frameAspect: number | undefined;
  onConfirm: (edit: PictureEdit) => void;
  onCancel: () => void;
}

const toPercent = ({ x, y, width, height }: Area): PercentCrop => ({
  unit: '%',
  x: x * 100,
  y: y * 100,
  width: width * 100,
  height: height * 100,
});
const fromPercent = ({ x, y, width, height }: PercentCrop): Area => ({
  x: x / 100,
  y: y / 100,
  width: width / 100,
  height: height / 100,
});

/** The dialog that crops and turns a picture. */
export function CropDialog({ picture, frameAspect, onConfirm, onCancel }: CropDialogProps) {
  const { t } = useTranslation();
  const { original, edit } = picture;
  const isUncropped = edit.crop.width === 1 && edit.crop.height === 1;
  const [turns, setTurns] = useState(edit.turns);
  const [keepsAspect, setKeepsAspect] = useState(frameAspect !== undefined && isUncropped);
  const [crop, setCrop] = useState<Area>(() =>
    frameAspect !== undefined && isUncropped
      ? centredArea(turnedSize(original, edit.turns), frameAspect)
      : edit.crop,
  );
  const turn = (step: 1 | 3) => {
    const next = (turns + step) % 4;
    setTurns(next);
    if (keepsAspect && frameAspect !== undefined)
      setCrop(centredArea(turnedSize(original, next), frameAspect));
    else setCrop(Array.from({ length: step }).reduce<Area>((area) => turnedArea(area), crop));
  };
  const label = (name: 'area' | `handles.${'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w'}`) =>
    t(`pictureInput.cropDialog.${name}`);
  return (
    <Modal
      opened
      size="xl"
      title={t('pictureInput.crop')}
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={onCancel}
    >
      <Stack>
        <Text size="sm">{t('pictureInput.cropDialog.lead')}</Text>
        {/* The crop is measured from the left in Arabic too. */}
        <div dir="ltr" className={classes['cropArea']}>
          <ReactCrop
            crop={toPercent(crop)}
            keepSelection
            minWidth={MIN_CROP_PX}
            minHeight={MIN_CROP_PX}
            {...(keepsAspect && frameAspect !== undefined && { aspect: frameAspect })}
            ariaLabels={{
              cropArea: label('area'),
              nwDragHandle: label('handles.nw'),
              nDragHandle: label('handles.n'),
              neDragHandle: label('handles.ne'),
              eDragHandle: label('handles.e'),
              seDragHandle: label('handles.se'),
              sDragHandle: label('handles.s'),
              swDragHandle: label('handles.sw'),
              wDragHandle: label('handles.w'),
            }}
            onChange={(_, percent) => setCrop(fromPercent(percent))}
          >
            <TurnedPicture picture={original} turns={turns} />
          </ReactCrop>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => turn(3)}>
            {t('pictureInput.cropDialog.turnLeft')}
          </Button>
          <Button size="xs" variant="default" onClick={() => turn(1)}>
            {t('pictureInput.cropDialog.turnRight')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setKeepsAspect(false);
              setCrop(WHOLE_PICTURE);
            }}
          >
            {t('pictureInput.cropDialog.whole')}
          </Button>
        </Group>
        {frameAspect !== undefined && (
          <Switch
            label={t('pictureInput.cropDialog.keepAspect')}
            checked={keepsAspect}
            onChange={({ currentTarget: { checked } }) => {
              setKeepsAspect(checked);
              if (checked) setCrop(centredArea(turnedSize(original, turns), frameAspect));
            }}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button onClick={() => onConfirm({ turns, crop })}>{t('pictureInput.cropDialog.use')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The whole picture after quarter turns. */
function TurnedPicture({ picture, turns }: { picture: DecodedPicture; turns: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const turned = turnedSize(picture, turns);
  const scale = scaleToFit(turned, SHOWN_SIDE_PX);
  const width = Math.max(1, Math.round(turned.width * scale));
  const height = Math.max(1, Math.round(turned.height * scale));
  useLayoutEffect(() => {
    if (canvas.current) drawEdited(canvas.current, picture, { turns, crop: WHOLE_PICTURE });
  }, [picture, turns, width, height]);
  return <canvas ref={canvas} width={width} height={height} className={classes['cropPicture']} />;
}
