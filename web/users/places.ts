/** What a field of places sends under another name, so that text typed and not chosen is not lost in silence. */
export const searchOf = (name: string) => `${name}_search`

/** The values of a field that was sent: several have commas between them. */
export const listOf = (text: string | undefined) => (text ?? '').split(',').filter(Boolean)
