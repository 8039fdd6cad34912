/** Most readers are Filipino: a mission without a recorded nationality is Philippine. */
export const HOME = 'PH'

/** Nationality of the passport holders a mission serves. */
export const nationalityOf = ({ nationality }: { nationality: string | null }): string => nationality ?? HOME
