import { Button, type ButtonProps } from '@mantine/core';
import { forwardRef } from 'react';
import { Link, type LinkProps } from 'react-router';

/** A link with the look of a button. Unlike a button it can be opened in a new tab. */
export const LinkButton = forwardRef<HTMLAnchorElement, ButtonProps & Omit<LinkProps, keyof ButtonProps>>(
  function LinkButton(props, ref) {
    return <Button component={Link} ref={ref} {...props} />;
  },
);
