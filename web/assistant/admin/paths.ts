export const ASSISTANT = '/admin/assistant'
export const FACTS = `${ASSISTANT}/facts`
export const KNOWLEDGE = `${ASSISTANT}/knowledge`
export const KNOWLEDGE_SEARCH = `${KNOWLEDGE}/search`
/** Where the allowed domains are configured. */
export const SETTINGS = '/admin/settings#assistant'

export const factPath = (id: string) => `${FACTS}/${encodeURIComponent(id)}`

/** The same list, with the result of the action and without its query parameters. */
export function backTo(request: Request, done: string): string {
  const { pathname, searchParams } = new URL(request.url)
  for (const name of ['action', 'row', 'source']) searchParams.delete(name)
  searchParams.set('done', done)
  // Without scripts the request is for the page, with scripts for its data.
  return `${pathname.replace(/\.data$/, '')}?${searchParams}`
}
