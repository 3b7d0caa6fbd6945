import type { ComponentProps } from 'react';

interface IsolatedProps extends Omit<ComponentProps<'bdi'>, 'children'> {
  text: string;
}

/**
 * A value inside of a sentence. As a component of `Trans`, its text is not parsed as markup, and letters of another
 * direction do not reorder the sentence.
 */
export function Isolated({ text, ...props }: IsolatedProps) {
  return <bdi {...props}>{text}</bdi>;
}
