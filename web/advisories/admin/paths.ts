export const MANAGE = '/admin/travel-advisories'
export const editPath = (id: string) => `${MANAGE}/${id}`
export const sourcePath = (id: string) => `${MANAGE}/sources/${id}`
