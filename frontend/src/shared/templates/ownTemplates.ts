/** The cache key of the list of private templates. */
export const MY_TEMPLATES_KEY = ['my-templates'];

/** The start of the id of every private template. Ids in the catalogue do not start with it. */
const ID_PREFIX = 'my-';

/** Returns true for the id of a private template, which has routes of its own. */
export function isOwnTemplateId(id: string | null): boolean {
  return id?.startsWith(ID_PREFIX) ?? false;
}
