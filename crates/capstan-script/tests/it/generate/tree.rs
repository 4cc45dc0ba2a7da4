//! Programs as trees. A binding is a number; its name is chosen when it is printed.

pub(crate) type Binding = usize;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    pub(crate) body: Scope,
    /// How many bindings there are.
    pub(crate) bindings: usize,
}

/// Statements with bindings of their own. Parameters belong to the scope of their function's body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scope {
    pub(crate) declared: Vec<Binding>,
    pub(crate) statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Expression(Expression),
    /// `const a = …` where nothing is assigned, else `let`.
    Declare(Binding, Expression, bool),
    /// `const { a, b = 1 } = …`.
    Destructure(Vec<(&'static str, Binding, Option<Expression>)>, Expression),
    Assign(Binding, &'static str, Expression),
    If(Expression, Scope, Option<Scope>),
    Block(Scope),
    ForOf(Binding, Expression, Scope),
    /// A loop with a label that ends at once.
    Labeled(usize, Scope),
    Function(Binding, Function),
    Class(Binding, &'static str, Function),
    Enum(Binding, Vec<&'static str>),
    Try(Scope, Binding, Scope),
    Return(Expression),
    /// With a text that no other has.
    Throw(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) is_async: bool,
    pub(crate) parameters: Vec<(Binding, Option<Expression>)>,
    pub(crate) body: Scope,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Number(u32),
    Text(&'static str),
    Global(&'static str),
    Local(Binding),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Unary(&'static str, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    Member(Box<Expression>, &'static str, bool),
    Call(Box<Expression>, Vec<Expression>),
    Array(Vec<Expression>),
    Object(Vec<(&'static str, Expression)>),
    Template(Vec<(&'static str, Expression)>, &'static str),
    Regex(&'static str),
    Arrow(Box<Function>),
    /// With the name that it has inside of itself.
    Named(Binding, Box<Function>),
    Await(Box<Expression>),
}

impl Program {
    pub(crate) fn expressions(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        self.body.expressions(visit);
    }

    pub(crate) fn statements(&mut self, visit: &mut dyn FnMut(&mut Vec<Statement>)) {
        self.body.lists(visit);
    }
}

impl Scope {
    pub(crate) fn expressions(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        for statement in &mut self.statements {
            statement.expressions(visit);
        }
    }

    /// Visits its statements and those further in, but for those in expressions.
    pub(crate) fn lists(&mut self, visit: &mut dyn FnMut(&mut Vec<Statement>)) {
        visit(&mut self.statements);
        for statement in &mut self.statements {
            statement.scopes(&mut |scope| scope.lists(visit));
        }
    }
}

impl Statement {
    pub(crate) fn expressions(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        match self {
            Self::Expression(it) | Self::Return(it) => it.walk(visit),
            Self::Declare(_, it, _) | Self::Assign(_, _, it) => it.walk(visit),
            Self::Destructure(entries, it) => {
                it.walk(visit);
                for default in entries.iter_mut().filter_map(|(_, _, it)| it.as_mut()) {
                    default.walk(visit);
                }
            }
            Self::If(test, _, _) => test.walk(visit),
            Self::ForOf(_, it, _) => it.walk(visit),
            Self::Function(_, it) | Self::Class(_, _, it) => it.defaults(visit),
            Self::Block(_)
            | Self::Labeled(..)
            | Self::Enum(..)
            | Self::Try(..)
            | Self::Throw(_) => {}
        }
        // Scopes in expressions were walked with them.
        match self {
            Self::If(_, yes, no) => {
                yes.expressions(visit);
                if let Some(no) = no {
                    no.expressions(visit);
                }
            }
            Self::Block(it) | Self::ForOf(_, _, it) | Self::Labeled(_, it) => it.expressions(visit),
            Self::Function(_, it) | Self::Class(_, _, it) => it.body.expressions(visit),
            Self::Try(first, _, second) => {
                first.expressions(visit);
                second.expressions(visit);
            }
            _ => {}
        }
    }

    /// The scopes directly in it, those of its expressions included.
    pub(crate) fn scopes(&mut self, visit: &mut dyn FnMut(&mut Scope)) {
        match self {
            Self::If(_, yes, no) => {
                visit(yes);
                if let Some(no) = no {
                    visit(no);
                }
            }
            Self::Block(it) | Self::ForOf(_, _, it) | Self::Labeled(_, it) => visit(it),
            Self::Function(_, it) | Self::Class(_, _, it) => visit(&mut it.body),
            Self::Try(first, _, second) => {
                visit(first);
                visit(second);
            }
            _ => {}
        }
    }
}

impl Function {
    fn defaults(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        let defaults = self.parameters.iter_mut().filter_map(|(_, it)| it.as_mut());
        for default in defaults {
            default.walk(visit);
        }
    }
}

impl Expression {
    /// Visits it and everything in it.
    pub(crate) fn walk(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        match self {
            Self::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Self::Unary(_, it) | Self::Await(it) | Self::Member(it, _, _) => it.walk(visit),
            Self::Conditional(a, b, c) => {
                a.walk(visit);
                b.walk(visit);
                c.walk(visit);
            }
            Self::Call(callee, arguments) => {
                callee.walk(visit);
                arguments.iter_mut().for_each(|it| it.walk(visit));
            }
            Self::Array(items) => items.iter_mut().for_each(|it| it.walk(visit)),
            Self::Object(entries) => entries.iter_mut().for_each(|(_, it)| it.walk(visit)),
            Self::Template(parts, _) => parts.iter_mut().for_each(|(_, it)| it.walk(visit)),
            Self::Arrow(it) | Self::Named(_, it) => {
                it.defaults(visit);
                it.body.expressions(visit);
            }
            Self::Number(_) | Self::Text(_) | Self::Global(_) | Self::Local(_) | Self::Regex(_) => {
            }
        }
        visit(self);
    }
}
