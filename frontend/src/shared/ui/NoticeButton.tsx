import { Button } from '@mantine/core';

import classes from './NoticeButton.module.css';

/** A small button in a notice. A long text takes two lines in narrow windows. */
export const NoticeButton = Button.withProps({
  size: 'xs',
  variant: 'default',
  classNames: { root: classes['button'] ?? '', label: classes['label'] ?? '' },
});
