export const ASSISTANT = '/admin/assistant'
export const FACTS = `${ASSISTANT}/facts`
export const KNOWLEDGE = `${ASSISTANT}/knowledge`
export const KNOWLEDGE_SEARCH = `${KNOWLEDGE}/search`
/** Where the allowed domains are configured. */
export const SETTINGS = '/admin/settings/assistant'

export const factPath = (id: string) => `${FACTS}/${encodeURIComponent(id)}`
