export const ASSISTANT = '/admin/assistant'
export const FACTS = `${ASSISTANT}/facts`
export const KNOWLEDGE = `${ASSISTANT}/knowledge`
export const KNOWLEDGE_SEARCH = `${KNOWLEDGE}/search`
/** Where the domains stand from which pages may be read. */
export const SETTINGS = '/admin/settings#assistant'

export const factPath = (id: string) => `${FACTS}/${encodeURIComponent(id)}`

/** The same list, with what was done to it and without what was asked of it. */
export function backTo(request: Request, done: string): string {
  const { pathname, searchParams } = new URL(request.url)
  for (const name of ['action', 'row', 'source']) searchParams.delete(name)
  searchParams.set('done', done)
  // Without scripts it is the page that is asked for, with scripts its data.
  return `${pathname.replace(/\.data$/, '')}?${searchParams}`
}
