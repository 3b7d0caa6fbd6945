/** Where what is remembered is listed, of guests too. */
export const MY_ANSWERS = '/user-home/user-answers';
