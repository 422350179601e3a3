// What the browser remembers from one page to the next. It may refuse (pages from disk, private windows): then nothing.

export function kept(name) {
    try {
        return localStorage.getItem(`zveno.${name}`);
    } catch {
        return null;
    }
}

export function keep(name, value) {
    try {
        localStorage.setItem(`zveno.${name}`, value);
    } catch {
        // not remembered
    }
}
