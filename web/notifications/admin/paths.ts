export const NOTICES = '/admin/notifications'
export const REMINDERS = `${NOTICES}/reminders`
export const TEMPLATES = `${NOTICES}/templates`
export const templatePath = (name: string, language: string) => `${TEMPLATES}/${name}/${language}`
export const noticePath = (id: string) => `${NOTICES}/${id}`
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
