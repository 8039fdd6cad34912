export const LOCALES = '/admin/locales'
export const DISCRETION = `${LOCALES}/discretion`
export const localePath = (id: string) => `${LOCALES}/${id}`
export const CHAPTERS = '/admin/chapters'
export const chapterPath = (id: string) => `${CHAPTERS}/${id}`
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
