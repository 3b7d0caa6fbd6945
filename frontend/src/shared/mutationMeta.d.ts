import '@tanstack/react-query';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /**
       * Returns the text of the toast for a failure with the message `msg`. Without it, the screen shows the failure
       * itself. An ended session is reported by `SessionEndedDialog` only.
       */
      failureText?: (msg: string) => string;
    };
  }
}
