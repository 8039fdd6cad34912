/** Headings of the parts of an advisory: one level deeper in the dialog. */
export type SectionHeading = 'h2' | 'h3'
