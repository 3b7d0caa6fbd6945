/** The page of saved answers, also for guests. */
export const SAVED_ANSWERS_PATH = '/user-home/user-answers';
