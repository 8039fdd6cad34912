/** Most readers are Filipino: a mission without a recorded nationality is Philippine. */
export const HOME = 'PH'

/** Whose passport holders a mission helps. */
export const nationalityOf = ({ nationality }: { nationality: string | null }): string => nationality ?? HOME
