import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Blues from which text on white and white on a button keep a contrast of 4.5. */
const ink: MantineColorsTuple = [
  "#eaf2fb",
  "#d3e2f3",
  "#a4c4e6",
  "#72a4da",
  "#4b88cf",
  "#3377c8",
  "#246fc6",
  "#165eb0",
  "#1c4f82",
  "#123b63",
];

/** Calm and dense: small controls, square corners, numbers of equal width (page.css). */
export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 8, dark: 7 },
  colors: { ink },
  defaultRadius: "sm",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, monospace",
  headings: { fontWeight: "600", sizes: { h1: { fontSize: "1.4rem" }, h2: { fontSize: "1.1rem" } } },
  components: {
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: "sm" } },
    Button: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "sm" } },
    Anchor: { defaultProps: { underline: "hover" } },
  },
});
