// Keys of the page. Fields keep theirs; so do buttons (space, enter) and sliders that are not the timeline's.

export const KEYS = [
    ["Space", "play, pause"],
    ["← →", "a row back, forward"],
    ["Shift ← →", "a twentieth of the time back, forward"],
    ["Home, End", "the first, the last row"],
    ["+ −", "faster, slower"],
    ["L", "begin again at the end"],
    ["F", "fit the robot into the picture"],
    ["V", "the next view"],
    ["T", "trail of the last frame"],
    ["1 … 6", "the tabs"],
    ["D", "dark, light"],
    ["?", "this list"],
];

/** actions: {" ": f, ArrowLeft: f, "Shift+ArrowLeft": f, f: f, ...} */
export function listenToKeys(actions) {
    const listener = (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (document.querySelector("dialog[open]") || keepsKey(event.target, event.key)) return;
        const shifted = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : null;
        const action = actions[shifted ?? event.key] ?? actions[event.key.toLowerCase()];
        if (!action) return;
        event.preventDefault();
        action();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
}

function keepsKey(target, key) {
    if (!(target instanceof HTMLElement)) return false;
    if (target.matches("textarea, select, input:not([type=range], [type=checkbox])")) return true;
    if (target.matches("input[type=range]:not(.scrub)")) return /^(Arrow|Home|End|Page)/.test(key);
    if (target.matches("button, summary, a, input[type=checkbox]")) return key === " " || key === "Enter";
    return target.matches("[role=tab]") && key.startsWith("Arrow");
}
