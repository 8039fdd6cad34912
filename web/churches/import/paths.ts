export const IMPORTS = '/admin/locales/import'
export const importPath = (id: string) => `${IMPORTS}/${id}`

/** The last action, as named in the URL. */
export const DONE = ['planned', 'committed', 'undone', 'decided', 'published', 'removed'] as const
export type Done = (typeof DONE)[number]
export const doneIn = (params: URLSearchParams) => DONE.find((known) => known === params.get('done'))
