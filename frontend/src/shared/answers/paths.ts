/** The page of saved answers, also for guests. */
export const MY_ANSWERS = '/user-home/user-answers';
