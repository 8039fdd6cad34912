export const ANNOUNCEMENTS = '/admin/notifications'
export const REMINDERS = `${ANNOUNCEMENTS}/reminders`
export const TEMPLATES = `${ANNOUNCEMENTS}/templates`
export const templatePath = (name: string, language: string) => `${TEMPLATES}/${name}/${language}`
export const announcementPath = (id: string) => `${ANNOUNCEMENTS}/${id}`
export const editPath = (id: string) => `${announcementPath(id)}/edit`
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
