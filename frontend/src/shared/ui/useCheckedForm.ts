import { useForm } from '@mantine/form';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** The problems of a form by field. A field without an entry is valid. */
export type Problems<Values, Problem extends string> = { [Field in keyof Values]?: Problem };

interface CheckedFormOptions<Values, Problem extends string> {
  initialValues: Values;
  /** Returns everything that prevents the form from being sent. */
  findProblems: (values: Values) => Problems<Values, Problem>;
  /** Returns the text next to the field; `true` only marks the field if the text is elsewhere. */
  problemText: (problem: Problem, field: keyof Values, values: Values) => ReactNode;
  onSubmit: (values: Values) => void;
  /** Called on input, because an earlier refusal of the server then no longer applies. */
  onChange?: () => void;
}

/**
 * A form (`@mantine/form`) that shows all its problems at once. Problems are stored as keys, so that they follow
 * the language. After a refusal the first invalid field gets the focus.
 */
export function useCheckedForm<Values extends object, Problem extends string>({
  initialValues,
  findProblems,
  problemText,
  onSubmit,
  onChange,
}: CheckedFormOptions<Values, Problem>) {
  const element = useRef<HTMLFormElement>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  const form = useForm<Values>({
    initialValues,
    validate: (values) => findProblems(values) as Record<string, ReactNode>,
    ...(onChange ? { onValuesChange: onChange } : {}),
  });
  const problems = form.errors as Problems<Values, Problem>;

  // The fields are marked as invalid only after the problems were rendered. The first one on the page is focused;
  // `form.getInputNode` needs the name of a field, and does not know the fields that the server has refused.
  useEffect(() => {
    if (focusRequests > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [focusRequests]);
  const focusFirstInvalid = () => setFocusRequests((count) => count + 1);

  const errorOf = (field: keyof Values): ReactNode => {
    const problem = problems[field];
    return problem === undefined ? null : problemText(problem, field, form.values);
  };

  /** Applies input. The problems of these fields are cleared; those of others stay. */
  const change = (part: Partial<Values>) => {
    for (const [field, value] of Object.entries(part)) form.setFieldValue(field as never, value as never);
  };

  return {
    values: form.values,
    /** Returns the values now, for callbacks that run later. */
    currentValues: () => form.getValues(),
    problems,
    errorOf,
    /** Focuses the first invalid field after the server has refused one. */
    focusFirstInvalid,
    change,
    /** Shows problems that are known before sending. */
    showProblems: (problemsToShow: Problems<Values, Problem>) => {
      for (const [field, problem] of Object.entries(problemsToShow))
        form.setFieldError(field as never, problem as ReactNode);
    },
    clearProblems: () => form.clearErrors(),
    /** The properties of the `form` element. */
    formProps: {
      ref: element,
      onSubmit: form.onSubmit((values) => onSubmit(values), focusFirstInvalid),
      noValidate: true,
    },
    /** The properties of a text input. */
    inputProps: (field: keyof Values & string) => ({
      name: field,
      value: form.values[field] as string,
      error: errorOf(field),
      onChange: (event: { currentTarget: { value: string } }) =>
        change({ [field]: event.currentTarget.value } as Partial<Values>),
    }),
  };
}
