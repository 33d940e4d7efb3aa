export declare const findBrowser: () => string | undefined
export declare const findOrInstallBrowser: () => string | undefined
export declare const findWholeBrowser: () => string | undefined
