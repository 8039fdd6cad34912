export const ROLL_CALLS = '/admin/roll-calls'
export const rollCallPath = (id: string) => `${ROLL_CALLS}/${id}`
