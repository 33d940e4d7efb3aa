/**
 * What a signer of docs/interface/signing defines at one depth, cut before each definition: those
 * that are named, in their order. Code that is copied holds the signer's own text and no second one.
 */
export const signerParts = (signer: string, begins: readonly RegExp[], indent = ''): string => {
  const parts = signer.split(new RegExp(`(?:\\n\\n|\\{\\n)(?=${indent}\\S)`))
  const found = begins.map((begin) => {
    const part = parts.find((each) => begin.test(each))
    if (part === undefined) throw new Error(`the signer has nothing that begins with ${begin}`)
    return part.replace(/^\n+|\s+$/g, '')
  })
  return found.join('\n\n')
}
